import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandLine, freshFolder } from '../support/process.ts'

export const ROOT = join(import.meta.dir, '../..')
export const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

/** A machine with petstore installed as in install.md, below a folder. */
export async function machine() {
  const folder = await freshFolder()
  const script = (name: string, text: string) =>
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  script('petstore', `exec '${commandLine().join("' '")}' "$@"`)
  // Runs the command as the given user and unit would, which take root. Without a description, the journal repeats the command.
  const described = 'case "$*" in *--description=petstore-admin*) ;; *) exit 99 ;; esac'
  script('systemd-run', `${described}\nwhile case $1 in --*) ;; *) false ;; esac; do shift; done; exec "$@"`)
  script('chgrp', '')
  const here = (text: string): string =>
    text.replaceAll('%%', '%').replaceAll('/usr/local/bin/', `${folder}/`).replaceAll('/etc/', `${folder}/`)
  script('petstore-admin', here(read('deploy/petstore-admin')))
  const settings = join(folder, 'petstore.env')
  return {
    folder,
    settings,
    run: (command: string) => {
      const where = { cwd: folder, env: { PATH: `${folder}:${process.env.PATH}` } }
      const { status, stderr } = spawnSync('sh', ['-c', here(command)], { ...where, encoding: 'utf8' })
      return { status, stderr: stderr.replaceAll(settings, '/etc/petstore.env') }
    },
  }
}
