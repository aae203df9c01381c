import { Database } from 'bun:sqlite'
import type { CDPSession, Page } from 'playwright-core'
import { startChromium } from '../tests/support/browser/chromium.ts'
import { openSheet } from '../tests/support/browser/menu.ts'
import { preflightOf } from '../tests/support/programs/preflight.ts'
import { freshSqliteUrl } from '../tests/support/service/folder.ts'
import { API_KEY, startService } from '../tests/support/service/service.ts'

/** Measures what the console costs a slow computer: CPU time at a quarter of the speed, and an export of many animals. */
const SLOWER = 4
const ANIMALS = Number(process.argv[2] ?? 100_000)
const ROUNDS = 5

/** Runs in the page: the longest time during which it could not respond to a click. */
const WATCH = `window.longest = 0
new PerformanceObserver(list => {
  for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration)
}).observe({ type: 'longtask', buffered: true })`

interface Cost {
  readonly processorMs: number
  readonly longestTaskMs: number
  readonly tookMs: number
}

async function taskMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
}

async function heapMb(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize / 1e6
}

async function costOf(page: Page, session: CDPSession, act: () => Promise<unknown>): Promise<Cost> {
  const begun = performance.now()
  const before = await taskMs(session)
  await page.evaluate('window.longest = 0')
  await act()
  const tookMs = performance.now() - begun
  return {
    tookMs,
    processorMs: (await taskMs(session)) - before,
    longestTaskMs: await page.evaluate<number>('window.longest'),
  }
}

const median = (all: readonly Cost[], of: keyof Cost): number =>
  Math.round(all.map(cost => cost[of]).sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0)

const say = (line: string): void => void process.stdout.write(`${line}\n`)

function report(what: string, costs: readonly Cost[]): void {
  const [processor, longest, took] = [
    median(costs, 'processorMs'),
    median(costs, 'longestTaskMs'),
    median(costs, 'tookMs'),
  ]
  say(`${what}: ${processor} ms of processor time, longest task ${longest} ms, done after ${took} ms`)
}

function fill(path: string): void {
  const database = new Database(path)
  database.run(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${ANIMALS})
     INSERT INTO pets (name, category_id, status)
     SELECT 'Animal ' || i, i % 10, CASE i % 3 WHEN 0 THEN 'available' WHEN 1 THEN 'pending' ELSE 'sold' END FROM n`,
  )
  database.close()
}

await preflightOf('npm run bench:console', 'chromium')
const databaseUrl = await freshSqliteUrl()
const empty = await startService({ databaseUrl })
await empty.stop()
fill(databaseUrl.slice('sqlite:'.length))
const [service, browser] = await Promise.all([startService({ databaseUrl }), startChromium()])
const context = await browser.newContext({ baseURL: service.url, acceptDownloads: true })
await context.addInitScript(key => sessionStorage.setItem('petstore-api-key', key), API_KEY)
await context.addInitScript(WATCH)
const page = await context.newPage()
const session = await context.newCDPSession(page)
await session.send('Performance.enable')
await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
// The counts run in the background and are not part of the measurement.
await page.route('**/v1/pets?limit=100*', route => route.abort())

const shown = () => page.locator('.list[aria-busy=false] .animals:not(.stale)').waitFor()
const costs = { first: [] as Cost[], filter: [] as Cost[], next: [] as Cost[] }
for (let round = 0; round < ROUNDS; round++) {
  const begun = performance.now()
  await page.goto('/')
  await shown()
  costs.first.push({
    tookMs: performance.now() - begun,
    processorMs: await taskMs(session),
    longestTaskMs: await page.evaluate<number>('window.longest'),
  })
  costs.filter.push(
    await costOf(page, session, async () => {
      await page.getByRole('link', { name: 'sold' }).click()
      await shown()
    }),
  )
  costs.next.push(
    await costOf(page, session, async () => {
      await page.getByRole('button', { name: 'Next' }).click()
      await shown()
    }),
  )
}
say(`${SLOWER} times slower, median of ${ROUNDS}:`)
report('first view', costs.first)
report('filter', costs.filter)
report('next page', costs.next)

await page.unroute('**/v1/pets?limit=100*')
for (const rate of [1, SLOWER]) {
  await session.send('Emulation.setCPUThrottlingRate', { rate })
  await page.goto('/?status=')
  await shown()
  await openSheet(page, 'Export…')
  const before = await heapMb(session)
  let most = before
  const looking = setInterval(async () => {
    const { usedSize } = await session.send('Runtime.getHeapUsage').catch(() => ({ usedSize: 0 }))
    most = Math.max(most, usedSize / 1e6)
  }, 500)
  const cost = await costOf(page, session, async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download', { timeout: 0 }),
      page.getByRole('button', { name: 'Export', exact: true }).click(),
    ])
    const lines = (await Bun.file(await download.path()).text()).split('\r\n').length - 2
    if (lines !== ANIMALS) throw new Error(`${lines} animals were exported instead of ${ANIMALS}.`)
  })
  clearInterval(looking)
  const heap = `heap ${before.toFixed(0)} MB before, ${most.toFixed(0)} at most, ${(await heapMb(session)).toFixed(0)} after`
  report(`${ANIMALS} animals exported, ${rate === 1 ? 'full speed' : `${rate} times slower`}, ${heap}`, [
    cost,
  ])
}
await browser.close()
await service.stop()
