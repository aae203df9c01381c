import type { Command } from 'commander'
import { databaseUrl } from '../config/database-url.ts'
import { loadEnvironment, type StoreConfig } from '../config/load.ts'
import { SETTINGS } from '../config/settings.ts'
import { InvalidInput, messageOf, OperatorError } from '../operator-error.ts'
import { stopSignal } from '../service/stopping/stop-signal.ts'
import { type Database, isSameDatabase } from '../store/database.ts'
import { engineOf } from '../store/engines.ts'
import { NoDatabase } from '../store/no-database.ts'
import type { Snapshot } from '../store/transfer.ts'
import { countText } from '../text/amounts.ts'
import { type CopyEvent, type CopyResult, copy, type Phase } from '../transfer/copy.ts'
import { flagsOf, withSettings } from './settings-options.ts'
import { printFacts, withJson } from './terminal/facts.ts'
import { Progress } from './terminal/progress.ts'

const LABELS: Record<Phase, string> = {
  copy: 'Copying        ',
  'check-source': 'Reading source ',
  'check-target': 'Reading target ',
}

export function copyCommand(program: Command): void {
  withJson(withSettings(program.command('copy'), { environment: SETTINGS.environment }))
    .description('copy animals, keys and remembered requests into an empty database of either engine')
    .requiredOption('--from <url>', 'database to copy: sqlite:<path> or postgres://…; it is only read')
    .requiredOption('--to <url>', 'empty database to copy into: sqlite:<path> or postgres://…')
    .action(async options => {
      const environment = loadEnvironment(flagsOf(options))
      const from = databaseOf('--from', options.from)
      const to = databaseOf('--to', options.to)
      if (isSameDatabase(from, to)) throw new InvalidInput('--from and --to name the same database.')
      const started = performance.now()
      const { asOf, ...result } = await copyDatabase(
        { database: from, environment },
        { database: to, environment },
      )
      const durationMs = Math.round(performance.now() - started)
      const facts = {
        from: from.publicName,
        to: to.publicName,
        environment,
        ...result,
        asOf,
        durationMs,
      }
      await printFacts(options, facts, () => summary(result, asOf, durationMs / 1000))
    })
}

async function copyDatabase(
  from: StoreConfig,
  to: StoreConfig,
): Promise<CopyResult & { readonly asOf: Date }> {
  const stop = new AbortController()
  void stopSignal().then(signal => stop.abort(new OperatorError(`Stopped by ${signal}.`)))
  const source = await openSource(from)
  const asOf = new Date()
  const target = await engineOf(to).openCopyTarget()
  const view = new CopyView()
  let hasBegun = false
  try {
    const result = await copy({
      source,
      sourceName: from.database.publicName,
      target,
      observe: event => {
        hasBegun = true
        view.show(event)
      },
      signal: stop.signal,
    })
    view.end()
    return { ...result, asOf }
  } catch (error) {
    view.end()
    throw hasBegun ? interrupted(error) : error
  } finally {
    // A broken connection cannot be closed either; the original failure matters.
    await Promise.allSettled([target, source].map(async side => side.close()))
  }
}

/** Shows one bar after another. */
class CopyView {
  #progress: Progress | undefined

  show(event: CopyEvent): void {
    if (event.kind === 'advanced') this.#progress?.advance(event.records)
    else if (event.kind === 'phase') {
      this.end()
      this.#progress = new Progress(LABELS[event.phase], 'records', event.total)
    } else process.stderr.write(`Going on with the copy that was interrupted after animal ${event.after}.\n`)
  }

  end(): void {
    this.#progress?.end()
    this.#progress = undefined
  }
}

const summary = ({ counts, checksums }: CopyResult, asOf: Date, seconds: number): string =>
  [
    `Copied ${countText(counts.pets, 'animal')}, ${countText(counts.keys, 'API key')} and ${countText(counts.requests, 'remembered request')} in ${seconds.toFixed(1)} s.`,
    'Both sides were read from the beginning, and their counts and checksums agree:',
    `  animals           sha256 ${checksums.pets}`,
    `  API keys          sha256 ${checksums.keys}`,
    `  requests          sha256 ${checksums.requests}`,
    `  deprecated calls  sha256 ${checksums.deprecatedCalls}`,
    `The copy is the source as it was at ${asOf.toISOString()}; later changes there are not in it.`,
    '',
  ].join('\n')

function interrupted(cause: unknown): OperatorError {
  return new OperatorError(
    `The copy is not complete. ${messageOf(cause).replace(/([^.])$/, '$1.')} The target is marked as unfinished and no service starts on it; run the same command again to continue.`,
    { cause },
  )
}

async function openSource(from: StoreConfig): Promise<Snapshot> {
  try {
    return await engineOf(from).openSnapshot()
  } catch (error) {
    if (!(error instanceof NoDatabase)) throw error
    throw new NoDatabase(`${error.message} Name the database to copy with --from.`, { cause: error })
  }
}

function databaseOf(flag: string, url: string): Database {
  const { data, error } = databaseUrl.safeParse(url)
  if (data !== undefined) return data
  throw new InvalidInput(`${flag} ${error?.issues[0]?.message}.`)
}
