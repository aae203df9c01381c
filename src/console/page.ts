import { FACTS_ID, type Facts } from './facts.ts'

let known: Facts | undefined

/** What the service wrote into this page. */
export function facts(): Facts {
  known ??= JSON.parse(document.getElementById(FACTS_ID)?.textContent ?? '') as Facts
  return known
}

/** The address of the API relative to this page: a proxy may serve both below another path. */
export const baseUrl = (): string => new URL('v1', document.baseURI).href
