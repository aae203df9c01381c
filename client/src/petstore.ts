import type { PetstoreOptions } from './options.ts'
import { Pets } from './pets.ts'
import { transport } from './transport.ts'

/** A petstore over HTTP. */
export class Petstore {
  readonly pets: Pets

  constructor(options: PetstoreOptions = {}) {
    this.pets = new Pets(transport(options))
  }
}
