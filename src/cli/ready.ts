import type { Command } from 'commander'
import { type AddressSettings, readSettings } from '../config/load.ts'
import { ADDRESS_SETTINGS } from '../config/settings.ts'
import { type Environment, originOf } from '../contract/servers.ts'
import { WRITE_MS } from '../deadlines.ts'
import { printable } from '../observability/log.ts'
import { codeOf, messageOf, OperatorError } from '../operator-error.ts'
import { type Finding, fail, ok } from '../store/diagnosis.ts'
import { flagsOf, withSettings } from './options.ts'
import { print } from './terminal.ts'

/** Longer than the service takes to find out. */
const TIMEOUT_MS = WRITE_MS + 1000

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
  return originOf(tlsCert === undefined ? 'http' : 'https', address, port)
}

/** Whether the service on this machine is ready, and of this environment, if the caller knows it. */
export async function reachService(
  address: AddressSettings & { readonly environment?: Environment },
): Promise<Finding> {
  const url = `${localUrl(address)}/readyz`
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    // The certificate is valid for the public host name, not for an address of this machine.
    const response = await fetch(url, { signal, redirect: 'manual', tls: { rejectUnauthorized: false } })
    const { petstore, code, message } = Object(await response.json().catch(() => undefined))
    const isMeant = petstore && petstore === (address.environment ?? petstore)
    if (isMeant) return ok('service', `${url} reports that the service is ready`)
    if (code) return fail('service', printable(`${url}: ${message}`))
    return fail('service', `${url} returned ${response.status}: another program or environment uses it`)
  } catch (error) {
    // Not a timeout's code, which is a meaningless number.
    const reason = codeOf(error) || messageOf(error)
    return fail('service', `Nothing responds at ${url} (${reason}). Is the service running?`)
  }
}
