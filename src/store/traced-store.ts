import type { Database } from './database.ts'
import type { Store } from './store.ts'

/** Measures a call: runs it and returns its result. */
type Measure = <T>(name: string, attributes: Readonly<Record<string, string>>, work: () => T) => T

/** A store that measures the calls made for requests; everything else is unchanged. */
export function tracedStore(store: Store, engine: Database['engine'], measure: Measure): Store {
  // The name that OpenTelemetry's conventions have for it.
  const system = engine === 'postgres' ? 'postgresql' : engine
  const call = <T>(name: string, work: () => T): T =>
    measure(`store ${name}`, { 'db.system.name': system, 'db.operation.name': name }, work)
  return {
    ...store,
    keys: { ...store.keys, find: hash => call('findKey', () => store.keys.find(hash)) },
    listPets: query => call('listPets', () => store.listPets(query)),
    findPet: id => call('findPet', () => store.findPet(id)),
    addPet: addition => call('addPet', () => store.addPet(addition)),
    ping: () => call('ping', () => store.ping()),
  }
}
