import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { program } from '../../tests/support/programs/program.ts'
import type { Launch, Place } from './contestant.ts'

/** Where Debian's packages install the sources of Go libraries. */
const GO_LIBRARIES = '/usr/share/gocode'

/** Builds the Go peer only from its folder and Debian's packages. Go's cache makes a rebuild cheap. */
export const goBuild = (folder: string): Launch & { cwd: string } => ({
  cwd: folder,
  // Debian's go-sqlite3 does not include SQLite; it links the system's.
  command: [program('go'), 'build', '-tags', 'libsqlite3', '-o', join(folder, 'server'), '.'],
  env: { GO111MODULE: 'off', GOPATH: GO_LIBRARIES, CGO_ENABLED: '1' },
})

/** Runs nginx in one process to send one file. All of its files are in the directory of the round. */
export function nginxLaunch({ port, directory, answersFile }: Place): Launch {
  const [answer] = JSON.parse(readFileSync(answersFile, 'utf8')) as { body: string }[]
  mkdirSync(join(directory, 'v1'))
  writeFileSync(join(directory, 'v1', 'pets'), Buffer.from(answer?.body ?? '', 'base64'))
  const configuration = join(directory, 'nginx.conf')
  writeFileSync(configuration, nginxConfiguration(port, directory))
  return { command: [program('nginx'), '-p', directory, '-c', configuration, '-e', 'stderr'], env: {} }
}

const nginxConfiguration = (port: number, directory: string): string => `
daemon off;
master_process off;
error_log stderr;
pid nginx.pid;
events {}
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  open_file_cache max=10;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${name};`).join('\n  ')}
  server {
    listen 127.0.0.1:${port};
    root ${directory};
    default_type application/json;
  }
}
`
