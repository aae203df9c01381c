import type { ErrorCode } from '../src/contract/errors.ts'
import type * as limits from '../src/contract/limits.ts'
import type * as operations from '../src/contract/operations.ts'
import type * as pet from '../src/contract/pet.ts'
import type * as own from './src/contract.generated.ts'

type Mutual<A, B> = [A, keyof A] extends [B, keyof B]
  ? [B, keyof B] extends [A, keyof A]
    ? true
    : false
  : false
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false
type WithoutOptions<Shape> = { [Name in keyof Shape]-?: Exclude<Shape[Name], undefined> }
type Routes<Table extends Record<string, { method: string; path: string }>> = {
  [Id in keyof Table]: Pick<Table[Id], 'method' | 'path'>
}

/** Fails the type check if the client's types differ from the contract. */
export interface ClientFollowsContract {
  pet: Holds<Mutual<own.Pet, pet.Pet>>
  newPet: Holds<Mutual<WithoutOptions<own.NewPet<bigint>>, pet.NewPet>>
  status: Holds<Mutual<own.PetStatus, pet.PetStatus>>
  query: Holds<Mutual<WithoutOptions<own.ListPetsQuery>, WithoutOptions<operations.ListPetsQuery>>>
  limit: Holds<Mutual<typeof own.LIMIT_MAX, typeof limits.LIMIT_MAX>>
  errors: Holds<Same<own.ErrorCode, ErrorCode>>
  operations: Holds<Mutual<Routes<typeof own.OPERATIONS>, Routes<typeof operations.OPERATIONS>>>
}

type Holds<Fact extends true> = Fact
