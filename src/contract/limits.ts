/** How much of anything a request may bring. The description, the messages and the checks all take it from here. */
export const MAX_BODY_BYTES = 64 * 1024
/** Of objects and arrays within each other. An animal has one level; fields that are ignored may have more. */
export const MAX_NESTING = 64
export const MAX_IDEMPOTENCY_KEY_LENGTH = 255
export const MAX_REQUEST_ID_LENGTH = 128
/** Of the animals in one page. */
export const LIMIT_MIN = 1
export const LIMIT_MAX = 100
export const LIMIT_DEFAULT = 20
/** More than any cursor of ours has, so that its format may grow. */
export const CURSOR_MAX_LENGTH = 128
