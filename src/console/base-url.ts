/** The address of the API relative to this page: a proxy may serve both below another path. */
export const baseUrl = new URL('v1', document.baseURI).href
