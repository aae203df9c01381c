import { petToJson } from '../../contract/pet.ts'
import { getPet } from '../../operations/get-pet.ts'
import type { Store } from '../../store/store.ts'
import { conditionalAnswer } from '../conditional.ts'
import { targetOf } from '../target.ts'
import type { Handler } from './handler.ts'

export const getPetHandler =
  (store: Store): Handler =>
  async request => {
    const { path } = targetOf(request)
    const pet = await getPet(store, path.slice(path.lastIndexOf('/') + 1))
    return conditionalAnswer(request, petToJson(pet), {})
  }
