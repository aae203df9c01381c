import type { Command } from 'commander'
import { type AddressConfig, loadAddress } from '../config/load.ts'
import { ADDRESS_SETTINGS } from '../config/settings.ts'
import { OperatorError } from '../operator-error.ts'
import { type Finding, fail, ok } from '../store/engine.ts'
import { asSentence } from '../text.ts'
import { flagsOf, withSettings } from './options.ts'
import { print } from './terminal.ts'

const TIMEOUT_MS = 3000

/** For health checks of containers, which have no curl. */
export function readyCommand(program: Command): void {
  withSettings(program.command('ready'), ADDRESS_SETTINGS)
    .description('ask the service on this machine whether it is ready; exit code 5 if not')
    .action(async options => {
      const { level, text } = await reachLocal(loadAddress(flagsOf(options)))
      if (level !== 'ok') throw new OperatorError(asSentence(text), { exit: 'unavailable' })
      await print(`${text}\n`)
    })
}

/** An address to connect to, from one to listen on. */
export function localUrl({ host, port, tls }: AddressConfig): string {
  const address = host.replace(/^0\.0\.0\.0$/, '127.0.0.1').replace(/^::$/, '::1')
  return `http${tls ? 's' : ''}://${address.includes(':') ? `[${address}]` : address}:${port}`
}

/** Whether the service on this machine is ready. */
export const reachLocal = (address: AddressConfig): Promise<Finding> =>
  reach('service', `${localUrl(address)}/readyz`, {
    isExpected: (status, body) => status === 200 && body.startsWith('{"status":"ok"'),
    ifSilent: 'Is it running?',
    ifOther: 'The store does not respond, the service is stopping, or another program has this port',
  })

/** Without a key every petstore responds the same, so none is sent. */
export const reachPublic = (baseUrl: string): Promise<Finding> =>
  reach('public address', `${baseUrl}/pets`, {
    isExpected: (status, body) => status === 401 && body.includes('"missing_api_key"'),
    ifSilent: 'Check DNS and the proxy',
    ifOther: 'That is no petstore. Check the proxy',
  })

interface Expectation {
  readonly isExpected: (status: number, body: string) => boolean
  /** What to do if nothing responds. */
  readonly ifSilent: string
  /** What to do about another response. */
  readonly ifOther: string
}

async function reach(topic: string, url: string, expectation: Expectation): Promise<Finding> {
  const { isExpected, ifSilent, ifOther } = expectation
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    // The certificate names the public address, not one of this machine.
    const tls = { rejectUnauthorized: topic !== 'service' }
    const response = await fetch(url, { signal, redirect: 'manual', tls })
    return isExpected(response.status, await response.text())
      ? ok(topic, `${url} responds as it should`)
      : fail(topic, `${url} answers ${response.status}. ${ifOther}`)
  } catch (error) {
    // The code of a timeout is a meaningless number.
    const { code, message } = error as { code?: unknown; message: string }
    const reason = typeof code === 'string' ? code : message
    return fail(topic, `nothing responds at ${url} (${reason}). ${ifSilent}`)
  }
}
