import { expect, test } from 'bun:test'
import { BALANCED, balance, Load } from '../../support/load.ts'
import { eventually } from '../../support/process.ts'
import type { ServiceProcess } from '../../support/service.ts'
import { storedPets } from '../faults/support/stored.ts'
import {
  endingThreads,
  eventsOf,
  expectAll,
  startThreads,
  untilEnded,
  untilListening,
} from './support/threads.ts'

const CALLERS = 32
const ENDED = 15

/** Ends threads while callers add animals, until enough have ended; then all must be there again, and everything accounted for. */
async function expectNothingLost(service: ServiceProcess, allowed: Partial<typeof BALANCED> = {}) {
  const load = new Load(() => service.url, CALLERS)
  service.signal('SIGUSR2')
  await untilEnded(service, ENDED)
  service.signal('SIGUSR2')
  await untilListening(service)
  const enough = load.acknowledged.size + 500
  await eventually('animals are added again', () => load.acknowledged.size > enough || undefined)
  await load.stop()
  await expectAll(service, '/readyz', 200)
  expect(await service.stop()).toBe(0)
  expect(balance(load, storedPets(service.options.databaseUrl))).toEqual({ ...BALANCED, ...allowed })
  expect(service.errors.text).toBe('')
}

test.each([
  ['terminate', 'it ended by itself'],
  ['error', 'null is not an object'],
] as const)(
  'with listeners ended every 100 ms (%s), no acknowledged animal is lost, none is added twice, the log says why, and the service serves on',
  async (how, reason) => {
    const service = await startThreads(endingThreads({ listeners: 100, how }))
    await expectNothingLost(service, { unanswered: expect.anything() })
    const ended = eventsOf(service, 'thread-ended')
    for (const line of ended) expect(String(line.reason)).toContain(reason)
    const listeners = new Set(ended.map(({ thread }) => thread))
    expect([...listeners].toSorted()).toEqual(['listener 1', 'listener 2', 'listener 3', 'listener 4'])
  },
)

test('with the writer ended every 300 ms, no acknowledged animal is lost, none is added twice, and every request is answered', async () => {
  const service = await startThreads(endingThreads({ writer: 300 }))
  await expectNothingLost(service)
  for (const { thread } of eventsOf(service, 'thread-ended')) expect(thread).toBe('writer')
  expect(eventsOf(service, 'storage-stalled')).toEqual([])
})

test('a listener in an endless loop is ended and replaced, and one in such a loop does not keep the service from stopping', async () => {
  const service = await startThreads(endingThreads({ how: 'loop' }))
  service.signal('SIGUSR2')
  const { reason } = await service.output.entry(({ event }) => event === 'thread-ended')
  expect(reason).toBe('it did not respond for 10 seconds')
  await untilListening(service)
  await expectAll(service, '/readyz', 200)
  service.signal('SIGUSR2')
  expect(await service.stop()).toBe(0)
  expect(eventsOf(service, 'stopped')).toHaveLength(1)
})
