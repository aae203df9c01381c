import type { Subprocess } from 'bun'
import { Output } from './log.ts'
import { commandLine, environmentWith, eventually } from './process.ts'
import { Service, type ServiceOptions, settingsOf } from './service.ts'

export interface ProcessOptions extends ServiceOptions {
  readonly flags?: readonly string[]
  /** A command that starts the service in a special way, prepended to its command line. */
  readonly within?: readonly string[]
}

/** `petstore serve` in its own process, to signal, kill and watch. */
export class ServiceProcess extends Service {
  declare readonly options: ProcessOptions
  readonly process: Subprocess
  readonly errors = new Output()

  constructor(options: ProcessOptions) {
    super(options)
    const command = [...(options.within ?? []), ...commandLine('serve', ...(options.flags ?? []))]
    this.process = Bun.spawn(command, {
      env: environmentWith(settingsOf(options)),
      stdio: ['ignore', this.output.file, this.errors.file],
    })
  }

  signal(signal: NodeJS.Signals): void {
    this.process.kill(signal)
  }

  async stop(): Promise<number> {
    this.signal('SIGTERM')
    return this.exited()
  }

  /** Sends SIGKILL, like a crash: nothing is finished or flushed. */
  async kill(): Promise<void> {
    this.signal('SIGKILL')
    await this.exited()
  }

  discard(): void {
    this.signal('SIGKILL')
  }

  exited(): Promise<number> {
    return this.process.exited
  }

  /** Starts a new process on the same data. */
  async restart(): Promise<ServiceProcess> {
    if (this.process.exitCode === null && this.process.signalCode === null) await this.stop()
    return startProcess(this.options)
  }
}

/** Starts the process and waits until it listens. */
export async function startProcess(options: ProcessOptions): Promise<ServiceProcess> {
  const service = new ServiceProcess(options)
  const listening = await eventually('the service listens', () => {
    if (service.process.exitCode !== null)
      throw new Error(`The service ended: ${service.errors.text}${service.output.text}`)
    return service.output.log.find(line => line.event === 'listening')
  })
  service.url = String(listening.url)
  return service
}
