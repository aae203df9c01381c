import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Workplace } from './workplace.ts'

/** What Node is linked against, and what npm needs to reach its registry; a bare root lacks both. */
export const NODE_NEEDS = ['libstdc++6', 'ca-certificates']

const CERTIFICATES = 'etc/ssl/certs/ca-certificates.crt'
const REACH = /^(https?_proxy|no_proxy|npm_config_registry)$/i

/** Copies this machine's Node and npm into a root, to /usr/local, as a manual installation does. */
export async function copyNode(place: Workplace, root: string): Promise<void> {
  const local = join(root, 'usr/local')
  const packages = join(local, 'lib/node_modules')
  const bin = join(local, 'bin')
  await mkdir(packages, { recursive: true })
  await mkdir(bin, { recursive: true })
  await cp(await nodePath(place), join(bin, 'node'), { dereference: true })
  await cp(await npmFolder(place), join(packages, 'npm'), { recursive: true })
  for (const name of ['npm', 'npx'])
    await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, join(bin, name))
  await place.run('chroot', root, '/usr/local/bin/node', '--version')
}

/** How this machine reaches the network and npm's registry: name resolution, certificates and npm's settings. */
export async function copyReach(place: Workplace, root: string): Promise<void> {
  const levels = ['globalconfig', 'userconfig']
  const named = await Promise.all(levels.map(level => place.run('npm', 'config', 'get', level)))
  const settings = named.map(name => name.trim()).filter(name => existsSync(name))
  const texts = await Promise.all(settings.map(name => readFile(name, 'utf8')))
  await mkdir(join(root, 'usr/local/etc'), { recursive: true })
  await Bun.write(join(root, 'usr/local/etc/npmrc'), texts.join('\n'))
  for (const file of ['etc/hosts', 'etc/resolv.conf', CERTIFICATES])
    if (existsSync(`/${file}`)) await cp(`/${file}`, join(root, file), { dereference: true, force: true })
}

/** The environment variables for it. */
export function reachVariables(): Record<string, string> {
  const variables: Record<string, string> = { NODE_EXTRA_CA_CERTS: `/${CERTIFICATES}` }
  for (const [name, value] of Object.entries(process.env))
    if (value && REACH.test(name)) variables[name] = value
  return variables
}

/** npm passes the paths of Node and npm to its scripts. */
async function nodePath(place: Workplace): Promise<string> {
  return (await place.run(process.env.npm_node_execpath ?? 'node', '-p', 'process.execPath')).trim()
}

async function npmFolder(place: Workplace): Promise<string> {
  const cli = process.env.npm_execpath ?? (await place.run('realpath', Bun.which('npm') ?? 'npm')).trim()
  return dirname(dirname(cli))
}
