import { chmod, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../command.ts'
import { makeRoot } from '../debian-root/make.ts'
import { copyNode, copyReach, NODE_NEEDS, reachVariables } from '../debian-root/node.ts'
import type { Workplace } from '../debian-root/workplace.ts'
import type { Engine } from './engine.ts'

export const CONTAINERFILE = join(ROOT, 'deploy/Containerfile')
export const COMPOSE_FILE = join(ROOT, 'deploy/compose.yaml')
const PATH = 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** The part of the PostgreSQL image's entry point that deploy/compose.yaml relies on. */
const POSTGRES = `#!/bin/bash
set -euo pipefail
PATH=$(echo /usr/lib/postgresql/*/bin):$PATH
export PGDATA=/var/lib/postgresql/data
if [ ! -e "$PGDATA/PG_VERSION" ]; then
  initdb --username="$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" --auth=scram-sha-256 \\
    --encoding=UTF8 --locale=C.UTF-8
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  echo "create database $POSTGRES_DB" | postgres --single postgres
fi
exec postgres -c listen_addresses='*'
`

/**
 * The base images of the Containerfile, and the other services in compose.yaml, come from registries. These
 * replacements are made from Debian's packages: one root file system with everything that is used, and the bare C
 * library.
 */
export async function makeStandIns(place: Workplace, engine: Engine): Promise<void> {
  const [builder, runner] = await namesIn(CONTAINERFILE, /^FROM (\S+)/gm, 2)
  const [postgres, haproxy] = await namesIn(COMPOSE_FILE, /^ +image: (docker\.io\S+)/gm, 2)
  const full = join(place.folder, 'full')
  await makeRoot(place, full, { variant: 'minbase', packages: [...NODE_NEEDS, 'haproxy', 'postgresql'] })
  await copyNode(place, full)
  await copyReach(place, full)
  await writeProgram(join(full, 'usr/local/bin/docker-entrypoint.sh'), POSTGRES)
  const reach = Object.entries(reachVariables()).map(pair => `ENV ${pair.join('=')}`)
  await makeImage(place, engine, full, {
    [builder]: reach,
    [postgres]: ['ENTRYPOINT ["docker-entrypoint.sh"]'],
    [haproxy]: ['USER haproxy', 'CMD ["haproxy", "-W", "-db", "-f", "/usr/local/etc/haproxy/haproxy.cfg"]'],
  })
  const small = join(place.folder, 'small')
  await makeRoot(place, small, { variant: 'extract', packages: ['libc6', 'base-files'] })
  await addNonroot(small)
  await makeImage(place, engine, small, { [runner]: ['USER 65532'] })
}

/** The image names in a file, whose number must match the images made here. */
async function namesIn(file: string, pattern: RegExp, count: 2): Promise<[string, string]> {
  const found = [...(await readFile(file, 'utf8')).matchAll(pattern)].map(([, name]) => name)
  const [first, second] = found
  if (first && second && found.length === count) return [first, second]
  throw new Error(`${file} names other images than ${import.meta.file} makes. Change one with the other.`)
}

/** Imports a root file system into the engine under each of these names, with settings as in a Containerfile. */
async function makeImage(
  place: Workplace,
  engine: Engine,
  root: string,
  names: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  const archive = `${root}.tar`
  await place.run('tar', `--directory=${root}`, '--exclude=./dev/*', '--create', `--file=${archive}`, '.')
  for (const [name, settings] of Object.entries(names))
    await engine.run('import', ...[PATH, ...settings].map(setting => `--change=${setting}`), archive, name)
  await place.run('rm', '--recursive', '--force', root, archive)
}

/** The user of the distroless images. Nothing can run in this one, so the files are written from outside. */
async function addNonroot(root: string): Promise<void> {
  for (const folder of ['home/nonroot', 'tmp']) await mkdir(join(root, folder), { recursive: true })
  await chmod(join(root, 'tmp'), 0o1777)
  const users = ['root:x:0:0::/root:/sbin/nologin', 'nonroot:x:65532:65532::/home/nonroot:/sbin/nologin']
  await Bun.write(join(root, 'etc/passwd'), `${users.join('\n')}\n`)
  await Bun.write(join(root, 'etc/group'), 'root:x:0:\nnonroot:x:65532:\n')
}

async function writeProgram(path: string, text: string): Promise<void> {
  await Bun.write(path, text)
  await chmod(path, 0o755)
}
