/** The limits of a request. The description, the messages and the checks all use these. */
export const MAX_BODY_BYTES = 64 * 1024
/** Maximum number of values in a JSON body: objects, arrays, strings and so on. An animal has four; ignored fields may have more. */
export const MAX_JSON_VALUES = 512
/** In characters: Unicode code points. */
export const NAME_MAX_LENGTH = 255
export const MAX_IDEMPOTENCY_KEY_LENGTH = 255
export const MAX_REQUEST_ID_LENGTH = 128

/** Animals in a page. */
export const LIMIT_MIN = 1
export const LIMIT_MAX = 100
export const LIMIT_DEFAULT = 20
/** More than a cursor has today, so that its format may grow. */
export const CURSOR_MAX_LENGTH = 128

/** How long a repeat with the same Idempotency-Key is recognised. */
export const IDEMPOTENCY_HOURS = 24
export const IDEMPOTENCY_LIFETIME_MS = IDEMPOTENCY_HOURS * 60 * 60 * 1000
