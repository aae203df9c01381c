/** Where the API is, seen from this page: a proxy may have put both below a path of its own. */
export const baseUrl = new URL('v1', document.baseURI).href
