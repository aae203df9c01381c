import { afterAll, beforeAll, test } from 'bun:test'
import * as client from '../../client/src/index.ts'
import { freshSqliteUrl } from '../support/process.ts'
import { API_KEY, type Service, startService } from '../support/service.ts'
import { SCENARIOS } from './scenarios/index.ts'
import { addManyPending } from './scenarios/world.ts'

let service: Service

beforeAll(async () => {
  service = await startService({ databaseUrl: await freshSqliteUrl() })
  await addManyPending(`${service.url}/v1`, API_KEY)
})

afterAll(() => service.discard())

test.each(Object.entries(SCENARIOS))('%s', (_, scenario) =>
  scenario({ client, baseUrl: `${service.url}/v1`, apiKey: API_KEY }),
)
