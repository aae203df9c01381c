export type { Int64, NewPet, Pet, PetStatus } from './contract.generated.ts'
export {
  AbortedError,
  AuthenticationError,
  type ClientErrorCode,
  ConflictError,
  ConnectionError,
  type ErrorCode,
  InvalidRequestError,
  NotFoundError,
  PetstoreError,
  type PetstoreErrorCode,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnavailableError,
  UnexpectedAnswerError,
} from './errors.ts'
export type { CreateOptions, Deprecation, OperationId, PetstoreOptions, RequestOptions } from './options.ts'
export type { PetList, PetPage } from './pet-list.ts'
export type { Pets } from './pets.ts'
export { Petstore } from './petstore.ts'
