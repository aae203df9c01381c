/** The element that the console is built in; the service wrote its environment there. */
export const root = (): HTMLElement => document.getElementById('app') ?? document.body

export const environment = (): string => root().dataset.environment ?? ''

/** The address of the API relative to this page: a proxy may serve both below another path. */
export const baseUrl = (): string => new URL('v1', document.baseURI).href
