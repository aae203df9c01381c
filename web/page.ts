/** The element that contains the console; the service put its environment there. */
export const root = (): HTMLElement => document.getElementById('app') ?? document.body

export const environment = (): string => root().dataset.environment ?? ''

/** The base URL relative to this page, because a proxy may serve both below another path. */
export const baseUrl = (): string => new URL('v1', document.baseURI).href
