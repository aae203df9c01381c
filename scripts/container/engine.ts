import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Ended, Workplace } from '../debian-root/workplace.ts'

const SETTINGS = 'containers.conf'

/** Podman with its own images, containers and networks, none of which outlive the workplace. */
export class Engine {
  readonly #place: Workplace
  readonly #command: readonly string[]

  private constructor(place: Workplace, command: readonly string[]) {
    this.#place = place
    this.#command = command
  }

  static async start(place: Workplace): Promise<Engine> {
    await Bun.write(join(place.folder, SETTINGS), await settingsText(join(place.folder, 'networks')))
    const engine = await Engine.at(place, place.folder)
    place.atLast(async () => {
      await engine.try('rm', '--all', '--force', '--time=1', '--volumes')
      // Also unmounts the storage; otherwise the folder could not be removed.
      await engine.try('system', 'reset', '--force')
    })
    return engine
  }

  /** The engine that was started in a folder. */
  static async at(place: Workplace, folder: string): Promise<Engine> {
    const inside = (name: string): string => join(folder, name)
    const fileSystem = await place.run('stat', '--file-system', '--format=%T', folder)
    return new Engine(place, [
      ...[
        'env',
        `CONTAINERS_CONF=${inside(SETTINGS)}`,
        'podman',
        '--runtime=runc',
        '--cgroup-manager=cgroupfs',
      ],
      ...['--events-backend=none', `--root=${inside('storage')}`, `--runroot=${inside('run')}`],
      // An overlay cannot lie on another, as it would when this runs in a container.
      ...[
        `--tmpdir=${inside('tmp')}`,
        `--storage-driver=${fileSystem.includes('overlay') ? 'vfs' : 'overlay'}`,
      ],
    ])
  }

  try(...args: string[]): Promise<Ended> {
    return this.#place.try([...this.#command, ...args])
  }

  run(...args: string[]): Promise<string> {
    return this.#place.run(...this.#command, ...args)
  }

  /** Runs a command and streams its output. */
  async show(...args: string[]): Promise<void> {
    const { code } = await this.#place.try([...this.#command, ...args], true)
    if (code !== 0) throw new Error(`podman ${args[0]} ended with ${code}`)
  }

  /** Makes the engine a program that others can call by the returned path. */
  async asProgram(): Promise<string> {
    const path = join(this.#place.folder, 'podman')
    const words = this.#command.map(word => `'${word}'`).join(' ')
    await writeFile(path, `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 })
    return path
  }
}

const ENOUGH_PROCESSES = 4096

/** Root in a container may not raise its limits, and Podman asks for more than some have. */
async function settingsText(networks: string): Promise<string> {
  const limits = await readFile('/proc/self/limits', 'utf8')
  const files = /^Max open files\s+\S+\s+(\d+)/m.exec(limits)?.[1] ?? '1024'
  return `[containers]
default_ulimits = ["nofile=${files}:${files}", "nproc=${ENOUGH_PROCESSES}:${ENOUGH_PROCESSES}"]
[network]
network_backend = "netavark"
network_config_dir = "${networks}"
`
}
