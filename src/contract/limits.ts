/** Limits on requests, used by the OpenAPI document, the messages and the checks. */
export const MAX_BODY_BYTES = 64 * 1024
/** Maximum number of values in a JSON body: objects, arrays, strings and so on. An animal has four; ignored fields may have more. */
export const MAX_JSON_VALUES = 128
/** Maximum length of a name, in Unicode code points. */
export const NAME_MAX_LENGTH = 255
/** Maximum number of parameters in a query. Lists have three; unknown ones are ignored. */
export const MAX_QUERY_PARAMETERS = 32
export const MAX_IDEMPOTENCY_KEY_LENGTH = 255
export const MAX_REQUEST_ID_LENGTH = 128

/** Number of animals on a page. */
export const LIMIT_MIN = 1
export const LIMIT_MAX = 100
export const LIMIT_DEFAULT = 20
/** Longer than today's cursors, so that their format can grow. */
export const CURSOR_MAX_LENGTH = 128

/** How long a retry with the same Idempotency-Key is recognised. */
export const IDEMPOTENCY_HOURS = 24
export const IDEMPOTENCY_LIFETIME_MS = IDEMPOTENCY_HOURS * 60 * 60 * 1000
