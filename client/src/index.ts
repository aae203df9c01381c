export {
  type Call,
  NOT_MODIFIED,
  type NotModified,
  type RateLimit,
  type ResponseInfo,
  type WithResponse,
} from './call.ts'
export {
  type ErrorCode,
  type ListPetsQuery,
  type NewPet,
  type OperationId,
  PET_STATUSES,
  type Pet,
  type PetStatus,
} from './contract.generated.ts'
export {
  AbortedError,
  ApiError,
  AuthenticationError,
  type ClientErrorCode,
  ConflictError,
  ConnectionError,
  type ErrorDetails,
  InvalidRequestError,
  NotFoundError,
  OutcomeUnknownError,
  PetstoreError,
  type PetstoreErrorCode,
  RateLimitError,
  RouteNotFoundError,
  ServerError,
  TimeoutError,
  UnavailableError,
  UnexpectedAnswerError,
} from './errors.ts'
export type {
  Deprecation,
  Hooks,
  Logger,
  ObserverOptions,
  RequestEvent,
  RequestedOperation,
  ResponseEvent,
  RetryEvent,
} from './observe.ts'
export type {
  CommonOptions,
  ConditionalOptions,
  CreateOptions,
  HeadersInput,
  PetstoreOptions,
  RawRequestOptions,
  RequestOptions,
} from './options.ts'
export { type Int64Input, type Int64Mode, type Int64Types, parsePet, stringifyPet } from './pet-json.ts'
export type { PetList, PetPage } from './pet-list.ts'
export { newIdempotencyKey, type Pets } from './pets.ts'
export { Petstore } from './petstore.ts'
