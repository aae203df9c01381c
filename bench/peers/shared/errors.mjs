/** @typedef {{ code: string, message: string, status: number }} ErrorBody */

/** @type {ErrorBody} */
export const INVALID_KEY = { code: 'invalid_api_key', message: 'Missing or invalid API key.', status: 401 }

/** @type {ErrorBody} */
export const PET_NOT_FOUND = { code: 'pet_not_found', message: 'No such animal.', status: 404 }

/** @type {ErrorBody} */
export const ROUTE_NOT_FOUND = { code: 'route_not_found', message: 'No such path.', status: 404 }

/** @type {ErrorBody} */
export const INVALID_CURSOR = { code: 'invalid_query', message: 'cursor is not one of ours.', status: 400 }

/** @type {ErrorBody} */
export const INTERNAL_ERROR = { code: 'internal_error', message: 'Something went wrong.', status: 500 }

/**
 * @param {string} message
 * @returns {ErrorBody}
 */
export function invalid(message) {
  return { code: 'invalid_request', message, status: 400 }
}
