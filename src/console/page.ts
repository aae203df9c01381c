import { FACTS_ID, type Facts } from './facts.ts'

/** What the service wrote into this page. */
export const facts = JSON.parse(document.getElementById(FACTS_ID)?.textContent ?? '') as Facts
