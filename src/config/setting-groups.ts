import { DEFAULT_SERVERS } from '../contract/servers.ts'
import { sentKey } from './schemas.ts'
import { SETTINGS, type Setting, type SettingName } from './settings.ts'

/** The same variables for commands that talk to a server. */
export const CLIENT_SETTINGS = {
  baseUrl: {
    ...SETTINGS.baseUrl,
    fallback: DEFAULT_SERVERS.production,
    about: 'server to talk to, ending in /v1',
  },
  apiKey: {
    ...SETTINGS.apiKey,
    about: 'API key to send; prefer the variable: other users can see flags',
    schema: sentKey,
  },
} as const satisfies Partial<Record<SettingName, Setting>>

/** Which database a command works on. */
export const STORE_SETTINGS = {
  environment: SETTINGS.environment,
  databaseUrl: SETTINGS.databaseUrl,
} as const

/** The address of the service on this machine. */
export const ADDRESS_SETTINGS = {
  host: SETTINGS.host,
  port: SETTINGS.port,
  tlsCert: SETTINGS.tlsCert,
  tlsKey: SETTINGS.tlsKey,
} as const
