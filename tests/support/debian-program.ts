import { spawnSync } from 'node:child_process'

const SYSTEM = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** A program of the system; its Debian package is put in place where that needs no one's help. */
export function debianProgram(name: string, inPackage = name): string {
  const find = () => Bun.which(name) ?? Bun.which(name, { PATH: SYSTEM })
  const found = find()
  if (found !== null) return found
  if (process.getuid?.() === 0 && Bun.which('apt-get') !== null) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    spawnSync('apt-get', ['update', '-qq'], { env })
    // Another test may be installing something at the same moment.
    spawnSync('apt-get', ['install', '-y', '-qq', '-o', 'DPkg::Lock::Timeout=300', inPackage], { env })
    const installed = find()
    if (installed !== null) return installed
  }
  throw new Error(`These tests need ${name}: install the package ${inPackage}.`)
}
