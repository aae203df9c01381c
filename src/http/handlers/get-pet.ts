import { type Pet, petToJson } from '../../contract/pet.ts'
import { getPet } from '../../operations/get-pet.ts'
import type { Store } from '../../store/store.ts'
import type { Exchange } from '../exchange.ts'
import { FOREVER, type RepresentationCache } from '../response/cache.ts'
import { conditionalAnswer, representation } from '../response/conditional.ts'
import type { HeaderValues } from '../response/kept-headers.ts'
import type { Handler } from './handler.ts'

const petIdOf = ({ request }: Exchange): string => request.params?.petId ?? ''

export const getPetHandler = (
  store: Store,
  cache: RepresentationCache,
  deprecation: HeaderValues,
): Handler<string, { readonly pet: Pet; readonly epoch: number }> => ({
  recall: exchange => cache.get(petIdOf(exchange), known => conditionalAnswer(exchange.request, known)),
  parse: petIdOf,
  run: async petId => ({ epoch: store.epoch(), pet: await getPet(store, petId) }),
  answer: ({ pet, epoch }, exchange) => {
    const animal = representation(petToJson(pet), deprecation)
    cache.set(petIdOf(exchange), animal, { epoch, revision: FOREVER })
    return conditionalAnswer(exchange.request, animal)
  },
})
