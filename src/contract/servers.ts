/** The two servers of the interface, by their environment. */
export interface Servers {
  readonly production: string
  readonly staging: string
}

/** Where they are as long as nobody configured their addresses: both on this machine, as the README starts them. */
export const DEFAULT_SERVERS: Servers = {
  production: 'http://127.0.0.1:8080/v1',
  staging: 'http://127.0.0.1:8081/v1',
}
