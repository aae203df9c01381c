import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { freshFolder, freshSqliteUrl } from '../../support/service/folder.ts'
import { commandLine, environmentWith } from '../../support/service/process.ts'
import { figure, measured } from './support/form.ts'

const ANIMALS = figure(200_000, 1_000_000)
const CPU_SECONDS = 30 * (ANIMALS / 1_000_000)
const SLOW_MS = 300_000

test(
  'animals are imported in less than 30 seconds of processor time a million, and all of them come out again',
  async () => {
    const databaseUrl = await freshSqliteUrl()
    const file = join(await freshFolder(), 'animals.ndjson')
    const lines = Array.from(
      { length: ANIMALS },
      (_, n) => `{"name":"Animal ${n}","categoryId":${9007199254740993n + BigInt(n)},"status":"sold"}\n`,
    )
    await Bun.write(file, lines.join(''))
    const started = performance.now()
    const child = Bun.spawn(
      commandLine('pets', 'import', file, '--create', '--yes', '--database-url', databaseUrl),
      {
        env: environmentWith({}),
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    )
    expect(await child.stdout.text()).toStartWith(
      `Imported ${ANIMALS.toLocaleString('en')} animals with identifiers from 1 to ${ANIMALS}`,
    )
    expect(await child.exited).toBe(0)
    const cpuSeconds = Number(child.resourceUsage()?.cpuTime.total) / 1e6
    const seconds = (performance.now() - started) / 1000
    measured(
      `import of ${ANIMALS.toLocaleString('en')} animals`,
      `${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of processor time`,
    )
    // Other tests run at the same time, so wall time is only reported and CPU time is limited.
    expect(cpuSeconds).toBeLessThan(CPU_SECONDS)

    const out = Bun.spawn(commandLine('pets', 'export', '--database-url', databaseUrl), {
      env: environmentWith({}),
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const exported = new Bun.CryptoHasher('sha256')
    for await (const chunk of out.stdout) exported.update(chunk)
    const expected = new Bun.CryptoHasher('sha256')
    for (const [n, line] of lines.entries()) expected.update(`{"id":${n + 1},${line.slice(1)}`)
    expect(exported.digest('hex')).toBe(expected.digest('hex'))
  },
  SLOW_MS,
)
