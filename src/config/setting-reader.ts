import { OperatorError } from '../operator-error.ts'
import { SETTINGS, type SettingName } from './settings.ts'

/** The text of a setting, from its flag, its variable or its default. */
export type Read = (name: SettingName) => string | undefined

/** What stops a start: one sentence that names the setting and never shows its value, which may be a secret. */
export const bad = (name: SettingName, rule: string): OperatorError =>
  new OperatorError(`${SETTINGS[name].variable} (${SETTINGS[name].flag}) ${rule}.`, { exit: 'invalid' })

export function readHost(read: Read, name: 'host' | 'metricsHost'): string {
  const host = read(name) ?? ''
  if (/^[\w.:%-]+$/.test(host)) return host
  throw bad(name, 'must be a host name or an IP address')
}

export function readPort(read: Read, name: 'port' | 'metricsPort'): number {
  const text = read(name) ?? ''
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port <= 65535) return port
  throw bad(name, 'must be a number from 0 to 65535')
}

export function readChoice<Choice extends string>(
  read: Read,
  name: SettingName,
  choices: readonly Choice[],
): Choice {
  const text = read(name)
  const choice = choices.find(known => known === text)
  if (choice !== undefined) return choice
  throw bad(name, `must be ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`)
}

export const readSwitch = (read: Read, name: 'rehearseSunset' | 'console'): boolean =>
  readChoice(read, name, ['on', 'off']) === 'on'
