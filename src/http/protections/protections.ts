import type { Config } from '../../config/load.ts'
import { type Endpoint, type ExchangeOptions, exchange } from '../exchange.ts'
import { Cors } from './cors.ts'
import { type Decoration, decorated } from './decorate.ts'
import { RateGate } from './rate-gate.ts'

/** What the operator may switch on. Decided once, at start: what is off is not there at all. */
export interface Protections {
  readonly gate: RateGate | undefined
  readonly cors: Cors | undefined
}

export const protectionsOf = ({ rateLimit, corsOrigins }: Config): Protections => ({
  gate: rateLimit && new RateGate(rateLimit),
  cors: corsOrigins.length > 0 ? new Cors(corsOrigins) : undefined,
})

/** An endpoint as the runtime calls it, within the protections. */
export function protectedExchange(
  endpoint: Endpoint,
  options: ExchangeOptions,
  { gate, cors }: Protections,
): ReturnType<typeof decorated> {
  const decorations: Decoration[] = []
  if (gate !== undefined) decorations.push(gate.decorate)
  if (cors !== undefined) decorations.push(cors.decorate)
  return decorated(exchange(cors?.withPreflight(endpoint) ?? endpoint, options), decorations)
}
