import { afterAll, beforeAll, describe, test } from 'bun:test'
import * as client from '../../client/src/index.ts'
import { petJson } from '../support/http/exact.ts'
import { freshSqliteUrl } from '../support/service/folder.ts'
import { API_KEY, type Service, startService } from '../support/service/service.ts'
import { SCENARIOS } from './scenarios/index.ts'
import { MANY } from './scenarios/world.ts'

/** `bun test` takes the unhandled rejection that this scenario is about for a failure of its own. */
const ELSEWHERE = /^an ignored failure/
const scenarios = Object.entries(SCENARIOS).filter(([name]) => !ELSEWHERE.test(name))

/** tests/thorough/client runs the same scenarios with the packed package, on Node too. */
describe('the client', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ databaseUrl: await freshSqliteUrl() })
    for (let n = 0; n < MANY; n++) await service.post(petJson({ name: String(n), status: 'pending' }))
  })
  afterAll(() => service.discard())

  test.each(scenarios)('%s', (_name, scenario) =>
    scenario({ client, baseUrl: `${service.url}/v1`, apiKey: API_KEY }),
  )
})
