import { join } from 'node:path'
import { ROOT } from '../command.ts'
import { makeRoot } from '../debian-root/make.ts'
import { copyNode, copyReach, NODE_NEEDS, reachVariables } from '../debian-root/node.ts'
import type { Ended, Workplace } from '../debian-root/workplace.ts'

export type User = 'root' | 'visitor'

const HOMES = { root: '/root', visitor: '/home/visitor' } as const
const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/**
 * Mounts and processes are in separate namespaces and end with this shell, however it ends. It stays root, since the
 * kernel would otherwise not kill it with its parent, and does not exec its last command: as the first process it
 * adopts orphans.
 */
const ENTER = `set -e
root=$0 user=$1
# The root of a machine is a mount: what tests mount needs that.
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys"
mount --rbind /dev "$root/dev"
shift
chroot --userspec="$user" --groups="$user" "$root" /usr/bin/env --ignore-environment "$@" || exit $?`
const NAMESPACES = ['--mount', '--propagation=private', '--pid', '--fork', '--kill-child=KILL']

/** A new Debian machine in a folder, with Node and npm but without the programs that tests use. */
export class BareMachine {
  readonly #place: Workplace
  readonly #root: string

  private constructor(place: Workplace) {
    this.#place = place
    this.#root = join(place.folder, 'root')
  }

  static async make(place: Workplace): Promise<BareMachine> {
    const machine = new BareMachine(place)
    await makeRoot(place, machine.#root, { variant: 'minbase', packages: NODE_NEEDS })
    await copyNode(place, machine.#root)
    await copyReach(place, machine.#root)
    await place.run('chroot', machine.#root, 'useradd', '--create-home', '--shell=/bin/bash', 'visitor')
    return machine
  }

  /** Makes a clean clone of what is committed here in the user's home; returns its path in the machine. */
  async clone(user: User, name: string): Promise<string> {
    const path = `${HOMES[user]}/${name}`
    await this.#place.run('git', 'clone', '--quiet', '--no-local', ROOT, join(this.#root, path))
    await this.#place.run('chroot', this.#root, 'chown', '--recursive', `${user}:${user}`, path)
    return path
  }

  /** Runs a shell command there and streams its output. */
  run(
    user: User,
    folder: string,
    line: string,
    variables: Readonly<Record<string, string>> = {},
  ): Promise<Ended> {
    const environment = {
      HOME: HOMES[user],
      PATH: SYSTEM_PATH,
      LANG: 'C.UTF-8',
      ...reachVariables(),
      ...variables,
    }
    const settings = Object.entries(environment).map(([name, value]) => `${name}=${value}`)
    const enter = ['unshare', ...NAMESPACES, 'bash', '-c', ENTER, this.#root, user]
    return this.#place.try([...enter, `--chdir=${folder}`, ...settings, '/bin/bash', '-c', line], true)
  }
}
