export const ENVIRONMENTS = ['production', 'staging'] as const
/** One of the API's two environments, each with its own data and keys. */
export type Environment = (typeof ENVIRONMENTS)[number]

/** The base URL of each environment, if it is known. */
export type Servers = Readonly<Record<Environment, string | undefined>>

/** As the OpenAPI document lists them. */
export const serverList = (servers: Servers) =>
  ENVIRONMENTS.flatMap(description => {
    const url = servers[description]
    return url === undefined ? [] : [{ url, description }]
  })

/** Every base URL ends in it. */
export const VERSION_PREFIX = '/v1'
export const PETS_PATH = '/pets'

/** Used if no base URL is configured: both are on this machine, as the README starts them. */
export const DEFAULT_SERVERS: Readonly<Record<Environment, string>> = {
  production: `http://127.0.0.1:8080${VERSION_PREFIX}`,
  staging: `http://127.0.0.1:8081${VERSION_PREFIX}`,
}

/** An IPv6 address needs brackets. */
export const originOf = (scheme: 'http' | 'https', host: string, port: number | undefined): string =>
  `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`
