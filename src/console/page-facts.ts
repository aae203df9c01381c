import { FACTS_ID, type Facts } from './facts.ts'

/** What the service wrote into this page. */
export const facts = JSON.parse(document.getElementById(FACTS_ID)?.textContent ?? '') as Facts

/** Where the API is, seen from this page: a proxy may have put both below a path of its own. */
export const baseUrl = new URL('v1', document.baseURI).href
