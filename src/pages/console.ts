import { FACTS_ID, type Facts } from '../console/facts.ts'
import { INT64_MAX, INT64_MIN } from '../contract/int64.ts'
import { LIMIT_DEFAULT, LIMIT_MAX, NAME_MAX_LENGTH } from '../contract/limits.ts'
import { dayOf, OPERATIONS } from '../contract/operations.ts'
import { PET_STATUSES } from '../contract/pet.ts'
import type { Environment } from '../contract/servers.ts'
import { loadPage, type Page } from './document.ts'

export const loadConsole = (environment: Environment): Promise<Page> =>
  loadPage('console', () => ({
    title: `Petstore · ${environment}`,
    head: `
<script type="application/json" id="${FACTS_ID}">${JSON.stringify(factsOf(environment))}</script>`,
    body: `
<div id="app"></div>
<noscript><p>The console needs JavaScript. The API does not: its description is at <a href="openapi.json">/openapi.json</a>.</p></noscript>`,
  }))

const factsOf = (environment: Environment): Facts => ({
  environment,
  statuses: PET_STATUSES,
  nameMaxLength: NAME_MAX_LENGTH,
  limitMax: LIMIT_MAX,
  limitDefault: LIMIT_DEFAULT,
  int64Min: String(INT64_MIN),
  int64Max: String(INT64_MAX),
  lookupEnds: dayOf(OPERATIONS.getPet.deprecated.sunset),
})
