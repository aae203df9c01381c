export const ENVIRONMENTS = ['production', 'staging'] as const
/** Which of the two servers of the interface this is; each has its own data and keys. */
export type Environment = (typeof ENVIRONMENTS)[number]

/** Used where no address is configured: both on this machine, as the README starts them. */
export const DEFAULT_SERVERS: Readonly<Record<Environment, string>> = {
  production: 'http://127.0.0.1:8080/v1',
  staging: 'http://127.0.0.1:8081/v1',
}
