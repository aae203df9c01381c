import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from '../../scripts/command.ts'
import { freshDatabaseUrl, PostgresServer } from '../../tests/support/postgres.ts'
import { delayingSyncs, type Running, SERVICE, start } from '../contestants.ts'
import { loadAll } from '../load.ts'
import { linesOf } from '../measure.ts'
import { WORKLOADS } from '../workloads.ts'
import { type Effort, median, rounded, sayRow } from './figures.ts'

/** How much longer each flush takes than the disk needs. */
const DELAYS_MS = [0, 1, 5, 10]
const SETTINGS = [
  { engine: 'SQLite', callers: 256, instances: 1, delaysMs: [0, 5] },
  { engine: 'SQLite', callers: 64, instances: 1, delaysMs: DELAYS_MS },
  { engine: 'PostgreSQL', callers: 256, instances: 1, delaysMs: [0, 5] },
  { engine: 'PostgreSQL', callers: 256, instances: 2, delaysMs: [5] },
  { engine: 'PostgreSQL', callers: 256, instances: 4, delaysMs: [5] },
  { engine: 'PostgreSQL', callers: 64, instances: 1, delaysMs: DELAYS_MS },
]
/** Medium ones, readable on white and on dark pages. */
const COLORS = ['#3fb950', '#2f81f7', '#db61a2', '#a371f7', '#8b949e', '#d29922']

type Setting = (typeof SETTINGS)[number]

/** Creates per second by delay, in one setting. */
type Line = { readonly title: string; readonly found: ReadonlyMap<number, number> }

/** Creates per second while flushes are slow, printed and drawn. */
export async function measureCreates({ rounds }: Effort): Promise<void> {
  const lines: Line[] = []
  sayRow('Each flush takes longer by', ...DELAYS_MS.map(delayMs => `${delayMs} ms`))
  for (const setting of SETTINGS) {
    const { engine, callers, instances, delaysMs } = setting
    const title = `${engine}, ${callers} callers${instances > 1 ? `, ${instances} instances` : ''}`
    const found = new Map<number, number>()
    for (const delayMs of delaysMs) {
      const rates: number[] = []
      while (rates.length < rounds) rates.push(await measureOne(setting, delayMs))
      found.set(delayMs, median(rates))
    }
    sayRow(title, ...DELAYS_MS.map(delayMs => (found.has(delayMs) ? rounded(found.get(delayMs) ?? 0) : '')))
    lines.push({ title, found })
  }
  // A quick run does not replace the picture.
  if (rounds > 1) await Bun.write(join(ROOT, 'bench/results/capacity.svg'), drawing(lines))
}

/** Loads fresh instances with creates alone. */
async function measureOne({ engine, callers, instances }: Setting, delayMs: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-capacity-'))
  const server = engine === 'PostgreSQL' && (await PostgresServer.create({}, delayingSyncs(delayMs)))
  const running: Running[] = []
  try {
    const databaseUrl = server ? await freshDatabaseUrl(server.url()) : `sqlite:${join(folder, 'animals.db')}`
    while (running.length < instances) {
      const place = { folder: mkdtempSync(join(folder, 'instance-')), databaseUrl }
      running.push(await start(SERVICE, place, { syncDelayMs: server ? 0 : delayMs }))
    }
    const planFile = join(folder, 'plan')
    await Bun.write(planFile, linesOf(await WORKLOADS.create.plan({ url: '', animals: 0, cursors: [] })))
    const { perSecond, failures } = await loadAll(running, planFile, callers)
    if (failures > 0) throw new Error(`${failures} creates failed`)
    return perSecond
  } finally {
    await Promise.all(running.map(each => each.stop()))
    if (server) await server.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

export function drawing(lines: readonly Line[]): string {
  const x = (delayMs: number): number => 70 + 48 * delayMs
  const y = (perSecond: number): number => Math.round(320 - perSecond / 75)
  const across = [0, 5000, 10_000, 15_000, 20_000].map(
    rate =>
      `<path d="M60 ${y(rate)}H560" stroke="#7d859055"/><text x="52" y="${y(rate) + 4}" text-anchor="end">${rate.toLocaleString('en')}</text>`,
  )
  const along = DELAYS_MS.map(
    delay => `<text x="${x(delay)}" y="344" text-anchor="middle">${delay} ms</text>`,
  )
  const drawn = lines.map(({ title, found }, place) => {
    const points = [...found].map(([delayMs, rate]) => `${x(delayMs)} ${y(rate)}`)
    const legend = `M590 ${56 + 24 * place}h0`
    // A line of no length with round caps is a dot.
    const dots = [...points.map(point => `M${point}h0`), legend].join('')
    return `<g fill="none" stroke="${COLORS[place]}" stroke-linecap="round"><path d="M${points.join('L')}" stroke-width="2"/><path d="${dots}" stroke-width="10"/></g><text x="604" y="${60 + 24 * place}">${title}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 360" font-family="system-ui, sans-serif" font-size="13" fill="#7d8590">
<text x="8" y="24" font-size="15" font-weight="bold">Creates per second while each flush of the disk takes longer</text>
${[...across, ...along, ...drawn].join('\n')}
</svg>
`
}
