import { beforeAll, describe, expect, test } from 'bun:test'
import { generateApiKey } from '../../../src/keys/api-key.ts'
import { KeyRing } from '../../../src/keys/key-ring.ts'
import { createKey } from '../../support/service/cli.ts'
import { engineAt } from '../../support/service/engine-at.ts'
import { freshSqliteUrl } from '../../support/service/folder.ts'
import { API_KEY } from '../../support/service/service.ts'
import { figure, measured, TIMEOUT_MS } from '../faults/support/form.ts'
import { seeded } from '../faults/support/seed.ts'
import { type Below, pick } from './fuzz/choice.ts'
import { nearMiss } from './support/near-miss.ts'
import { welch, withoutOutliers } from './support/welch.ts'

const SAMPLES = figure(6000, 100_000)
const DIFFERENT = 4.5
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz']

/** Many of each kind: where a single key lands in the tables of the process is random, for near and far alike. */
interface Keys {
  readonly near: readonly string[]
  readonly far: readonly string[]
}
const MANY = 256

const many = <T>(make: () => T): T[] => Array.from({ length: MANY }, make)

/** A new string at a different place in memory, as if it had just arrived. */
const fresh = (text: string): string => Buffer.from(text).toString('latin1')

/** Times both kinds in random order, so that nothing else correlates with it. */
async function compare(
  samples: number,
  below: Below,
  keys: Keys,
  refuse: (key: string) => Promise<void>,
): Promise<number> {
  const times: [number[], number[]] = [[], []]
  for (let n = 0; n < samples / 10; n++) await refuse(fresh(pick(below, keys[n % 2 === 0 ? 'near' : 'far'])))
  for (let n = 0; n < samples; n++) {
    const isNear = below(2) === 1
    const key = fresh(pick(below, keys[isNear ? 'near' : 'far']))
    const started = Bun.nanoseconds()
    await refuse(key)
    times[isNear ? 1 : 0].push(Bun.nanoseconds() - started)
  }
  return welch(...withoutOutliers(...times))
}

describe('the time of a refusal does not tell how near a key is to a real one', () => {
  let databaseUrl: string
  let real: string
  beforeAll(async () => {
    databaseUrl = await freshSqliteUrl()
    real = await createKey(databaseUrl, 'real')
  })

  const kinds: [string, (below: Below) => Keys][] = [
    [
      'a stored key is looked up by its SHA-256: keys that differ from one in their last random characters',
      below => ({ near: many(() => nearMiss(real, below)), far: many(() => generateApiKey('production')) }),
    ],
    [
      'the hash of the configured key is compared in constant time: keys that differ from it in their last characters',
      below => ({
        near: many(() => API_KEY.slice(0, -2) + pick(below, LETTERS) + pick(below, LETTERS)),
        far: many(() => Array.from(API_KEY, () => pick(below, LETTERS)).join('')),
      }),
    ],
  ]
  test.each(kinds)(
    '%s',
    async (what, keys) => {
      const below = seeded('keys')
      const store = await engineAt(databaseUrl).open({ create: true })
      const ring = new KeyRing({ environment: 'production', keys: store.keys, configuredKey: API_KEY })
      await ring.verify(real)
      await ring.verify(API_KEY)
      const t = await compare(SAMPLES, below, keys(below), async key => {
        try {
          ring.cachedKeyId(key, performance.now())
          await ring.verify(key)
        } catch {
          return
        }
        throw new Error('A wrong key was let in')
      })
      await store.close()
      measured(`Welch's t, ${what}`, `${t.toFixed(2)} on ${SAMPLES} samples`)
      expect(Math.abs(t)).toBeLessThan(DIFFERENT)
    },
    TIMEOUT_MS,
  )
})
