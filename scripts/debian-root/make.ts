import { existsSync } from 'node:fs'
import type { Workplace } from './workplace.ts'

/** The package sources of Debian and Ubuntu themselves; others need keys that a new root lacks. */
const SOURCES = [
  '/etc/apt/sources.list',
  '/etc/apt/sources.list.d/debian.sources',
  '/etc/apt/sources.list.d/ubuntu.sources',
]

export interface Kind {
  /** `minbase` is Debian's smallest variant with apt; `extract` only unpacks the named packages and runs nothing. */
  readonly variant: 'minbase' | 'extract'
  readonly packages: readonly string[]
}

/** mmdebstrap mounts and starts a lot; in separate namespaces all of it ends with mmdebstrap, however that ends. */
const NAMESPACES = [
  '--mount',
  '--propagation=private',
  '--pid',
  '--mount-proc',
  '--fork',
  '--kill-child=KILL',
]

/** Makes the root file system of a new machine: the same release as this one, from the same package sources. */
export async function makeRoot(place: Workplace, root: string, { variant, packages }: Kind): Promise<void> {
  const options = [`--variant=${variant}`, `--include=${packages.join(',')}`, ...(await proxies(place))]
  const sources = SOURCES.filter(file => existsSync(file))
  await place.run('unshare', ...NAMESPACES, 'mmdebstrap', ...options, await releaseName(), root, ...sources)
}

async function releaseName(): Promise<string> {
  const text = await Bun.file('/etc/os-release').text()
  const [, name] = /^VERSION_CODENAME=(\w+)$/m.exec(text) ?? []
  if (name !== undefined) return name
  throw new Error('/etc/os-release names no release. This needs Debian or Ubuntu.')
}

/** A machine that reaches its packages through a proxy has configured it in apt. */
async function proxies(place: Workplace): Promise<string[]> {
  const dump = await place.run('apt-config', 'dump', 'Acquire::http::Proxy', 'Acquire::https::Proxy')
  return dump
    .split('\n')
    .filter(line => /Proxy "[^"]+";$/.test(line))
    .map(line => `--aptopt=${line}`)
}
