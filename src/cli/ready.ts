import type { Command } from 'commander'
import { type AddressSettings, readSettings } from '../config/load.ts'
import { ADDRESS_SETTINGS } from '../config/settings.ts'
import { type Finding, fail, ok } from '../findings.ts'
import { codeOf, messageOf, OperatorError } from '../operator-error.ts'
import { urlOf } from '../text.ts'
import { flagsOf, withSettings } from './options.ts'
import { print } from './terminal.ts'

const TIMEOUT_MS = 3000

/** For health checks in containers, which have no curl. */
export function readyCommand(program: Command): void {
  withSettings(program.command('ready'), ADDRESS_SETTINGS)
    .description('ask the service on this machine whether it is ready; exit code 5 if not')
    .action(async options => {
      const { level, text } = await reachService(readSettings(ADDRESS_SETTINGS, flagsOf(options)))
      if (level !== 'ok') throw new OperatorError(text, { exit: 'unavailable' })
      await print(`${text}\n`)
    })
}

/** The URL to connect to, for an address to listen on. */
export function localUrl({ host, port, tlsCert }: AddressSettings): string {
  const address = host.replace(/^0\.0\.0\.0$/, '127.0.0.1').replace(/^::$/, '::1')
  return urlOf(tlsCert === undefined ? 'http' : 'https', address, port)
}

/** Whether the service on this machine is ready. */
export async function reachService(address: AddressSettings): Promise<Finding> {
  const url = `${localUrl(address)}/readyz`
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    // The certificate is valid for the public host name, not for an address of this machine.
    const response = await fetch(url, { signal, redirect: 'manual', tls: { rejectUnauthorized: false } })
    const isReady = response.status === 200 && (await response.text()).startsWith('{"status":"ok"')
    if (isReady) return ok('service', `${url} reports that the service is ready`)
    const why = 'The store does not respond, the service is stopping, or another program uses this port.'
    return fail('service', `${url} returned ${response.status}. ${why}`)
  } catch (error) {
    // Not a timeout's code, which is a meaningless number.
    const reason = codeOf(error) || messageOf(error)
    return fail('service', `Nothing responds at ${url} (${reason}). Is the service running?`)
  }
}
