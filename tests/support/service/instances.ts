import { afterAll } from 'bun:test'
import { type ProcessOptions, type ServiceProcess, startProcess } from './service-process.ts'

/** Starts several instances on one database at the same time. */
export const startInstances = (count: number, options: ProcessOptions): Promise<ServiceProcess[]> =>
  Promise.all(Array.from({ length: count }, () => startProcess(options)))

/** Stops services at the end of a test file, and fails if one exited with an error or wrote to standard error. */
export function stopAtEnd(services: () => readonly ServiceProcess[]): void {
  afterAll(async () => {
    const running = services().filter(({ process }) => process.exitCode === null)
    const codes = await Promise.all(running.map(service => service.stop()))
    const complaints = services()
      .map(({ errors }) => errors.text)
      .join('')
    if (codes.some(code => code !== 0) || complaints !== '')
      throw new Error(`The services ended with ${codes.join(', ')}: ${complaints}`)
  })
}
