import type { Command } from 'commander'
import { type Config, loadConfig } from '../config/load.ts'
import { SETTINGS } from '../config/settings.ts'
import { isRunByNpx } from '../config/variables.ts'
import { startServer } from '../http/server.ts'
import { DeprecatedCallCount } from '../keys/count-deprecated.ts'
import { createKey, hasUsableKey, keyCommand } from '../keys/create.ts'
import { KeyRing } from '../keys/key-ring.ts'
import { recordKeyUses } from '../keys/record-uses.ts'
import { fanOut } from '../observability/fan-out.ts'
import { openLog } from '../observability/logger.ts'
import { OperatorError } from '../operator-error.ts'
import { scheduleBackups } from '../service/backups/schedule.ts'
import { refuseCoreDumps } from '../service/core-dumps.ts'
import { restWhileOutOfDescriptors } from '../service/descriptor-shortage.ts'
import { endInAnyCase } from '../service/stopping/last-resort.ts'
import { reasonToStop } from '../service/stopping/reason-to-stop.ts'
import { newMetrics, serveMetrics, startTraces } from '../service/telemetry.ts'
import { welcome } from '../service/welcome.ts'
import { engineOf } from '../store/engines.ts'
import { tracedStore } from '../store/traced-store.ts'
import { checkSettings } from './check-settings.ts'
import { flagsOf, withSettings } from './settings-options.ts'
import { hasColour } from './terminal/abilities.ts'

export function serveCommand(program: Command): void {
  const command = program
    .command('serve')
    .description('serve the API until SIGTERM, SIGINT or SIGHUP')
    .option('--check', 'check settings and database, and exit without starting')
    .option('--welcome', 'create the first API key if there is none, and show how to use it')
  withSettings(command, SETTINGS).action(options => {
    const config = loadConfig(flagsOf(options))
    return options.check === true ? checkSettings(config) : serve(config, options.welcome === true)
  })
}

async function serve(config: Config, isWelcome: boolean): Promise<void> {
  refuseCoreDumps()
  const { level, format } = config.log
  const isReadable = format === 'auto' ? process.stdout.isTTY : format === 'readable'
  const { observe: log, writer } = openLog(Bun.stdout, {
    format: isReadable ? 'readable' : 'json',
    level,
    hasColour: hasColour(process.stdout),
  })
  const metrics = config.metrics && newMetrics()
  const traces = config.traces && (await startTraces(config, config.traces, fanOut([log, metrics?.observe])))
  const observe = fanOut([log, metrics?.observe, traces?.observe])
  const opened = await engineOf(config).open({ create: true, observe, caller: 'service' })
  const store = traces === undefined ? opened : tracedStore(opened, traces.call)
  const ring = new KeyRing({
    environment: config.environment,
    keys: store.keys,
    configuredKey: config.apiKey,
  })
  const deprecatedCalls = new DeprecatedCallCount(store.deprecations, observe)
  const server = startServer({
    config,
    store,
    ring,
    observe,
    onDeprecatedCall: deprecatedCalls.count,
    inSpan: traces?.inSpan,
  })
  // Before the first request: a request in progress is completed whenever the signal arrives.
  const stopping = reasonToStop({ reload: server.reloadTls, isRunByNpx: isRunByNpx() })
  const stopMetrics = metrics && serveMetrics(config, metrics, { store, server, observe })
  const stopRecording = recordKeyUses(ring, store.keys, observe)
  const stopBackups = scheduleBackups(config, observe)
  const stopResting = restWhileOutOfDescriptors(observe)
  const needsKey = config.apiKey === undefined && !(await hasUsableKey(store))
  // Shown only in a terminal: other output may be a log file that is kept and read by others.
  const newKey =
    needsKey && isWelcome && process.stdout.isTTY ? (await createKey(store, 'first key')).key : undefined
  if (isWelcome) writer.write(welcome(server.url, config, newKey))
  if (needsKey && newKey === undefined)
    observe({
      kind: 'no-api-key',
      hint: `There is no API key yet. Make one: ${keyCommand(config.environment)}`,
    })
  observe({
    kind: 'listening',
    url: server.url,
    environment: config.environment,
    database: config.database.publicName,
  })

  observe({ kind: 'draining', signal: await stopping })
  const callOff = endInAnyCase(observe, writer)
  stopBackups()
  const unanswered = await server.drain()
  stopResting()
  await Promise.all([stopRecording(), deprecatedCalls.close(), traces?.close(), stopMetrics?.()])
  const failure = await store.close().catch((cause: unknown) => cause)
  observe({ kind: 'stopped', unanswered })
  await writer.close()
  callOff()
  if (failure !== undefined)
    throw new OperatorError('The storage does not answer, so the database was not closed. Nothing is lost.', {
      cause: failure,
    })
}
