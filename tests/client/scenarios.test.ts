import { beforeAll, expect, test } from 'bun:test'
import * as client from '../../client/src/index.ts'
import { isBrowser } from '../../client/src/options.ts'
import { API_KEY, sharedService } from '../support/service.ts'
import { SCENARIOS } from './scenarios/index.ts'
import { addManyPending } from './scenarios/world.ts'

const service = sharedService()

beforeAll(async () => {
  await addManyPending(`${service().url}/v1`, API_KEY)
})

test.each(Object.entries(SCENARIOS))('%s', (_, scenario) =>
  scenario({ client, baseUrl: `${service().url}/v1`, apiKey: API_KEY }),
)

test('a worker of a browser, which has no document, keeps its own User-Agent', () => {
  const { process } = globalThis
  Reflect.deleteProperty(globalThis, 'process')
  const isOne = isBrowser()
  Object.assign(globalThis, { process })
  expect([isOne, isBrowser()]).toEqual([true, false])
})
