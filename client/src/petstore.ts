import { INT64_AS, type Int64Mode } from './int64.ts'
import type { PetstoreOptions } from './options.ts'
import { Pets } from './pets/pets.ts'
import { LEVELS } from './request/observe.ts'
import { transport } from './request/transport.ts'
import { checkOptions, credentialsOf, mustBeOneOf } from './settings.ts'

/** A client of a petstore over HTTP. The type parameter is the type of every int64 that it returns. */
export class Petstore<Mode extends Int64Mode = 'bigint'> {
  /** The address of the service, including the version. */
  readonly baseUrl: string
  /** The type of every `id` and `categoryId`. */
  readonly int64: Mode
  /** The operations on animals. */
  readonly pets: Pets<Mode>

  /** Throws a TypeError that names the invalid option. */
  constructor(options: PetstoreOptions<Mode> = {}) {
    const { apiKey, baseUrl } = credentialsOf(options)
    const { int64 = 'bigint' as Mode, logLevel = 'off' } = options
    mustBeOneOf('int64', int64, Object.keys(INT64_AS))
    mustBeOneOf('logLevel', logLevel, LEVELS)
    checkOptions(options)
    this.baseUrl = baseUrl
    this.int64 = int64
    this.pets = new Pets(transport({ ...options }, apiKey, baseUrl), int64)
  }
}
