export const ENVIRONMENTS = ['production', 'staging'] as const
/** One of the API's two environments, each with its own data and keys. */
export type Environment = (typeof ENVIRONMENTS)[number]

/** Used if no base URL is configured: both are on this machine, as the README starts them. */
export const DEFAULT_SERVERS: Readonly<Record<Environment, string>> = {
  production: 'http://127.0.0.1:8080/v1',
  staging: 'http://127.0.0.1:8081/v1',
}
