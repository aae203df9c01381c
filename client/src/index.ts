export type { ListPetsQuery, NewPet, OperationId, Pet, PetStatus } from './contract.generated.ts'
export {
  AbortedError,
  AuthenticationError,
  type ClientErrorCode,
  ConflictError,
  ConnectionError,
  type ErrorCode,
  type ErrorDetails,
  FetchError,
  InexactNumberError,
  InvalidRequestError,
  NotFoundError,
  PetstoreError,
  type PetstoreErrorCode,
  RateLimitError,
  RouteNotFoundError,
  ServerError,
  TimeoutError,
  UnavailableError,
  UnexpectedAnswerError,
} from './errors.ts'
export type { Int64Input, Int64Mode, Int64Types } from './int64.ts'
export type {
  CommonOptions,
  ConditionalOptions,
  CreateOptions,
  Environment,
  PetstoreOptions,
  RequestOptions,
} from './options.ts'
export { parsePet, stringifyPet } from './pets/pet-json.ts'
export type { PetList } from './pets/pet-list.ts'
export type { PetPage } from './pets/pet-page.ts'
export type { Pets } from './pets/pets.ts'
export { Petstore } from './petstore.ts'
export type { Call, RateLimit, ResponseInfo, WithResponse } from './request/call.ts'
export type {
  Deprecation,
  Hooks,
  Logger,
  LogLevel,
  RequestEvent,
  ResponseEvent,
  RetryEvent,
} from './request/observe.ts'
