import { preflightOf } from '../../tests/support/programs/preflight.ts'
import { say } from '../command.ts'
import { attack, type Outcome } from './attack.ts'
import { Cluster } from './cluster.ts'

const COMMAND = 'npm run test:patroni'
/** Can be changed for a short run: `npm run test:patroni -- 1`. */
const TIMES = Number(process.argv.slice(2).find(arg => /^\d+$/.test(arg)) ?? 5)

/**
 * `npm run test:patroni`: three PostgreSQL servers from deploy/patroni on this machine. Under load, the leader is
 * killed five times and switched over five times: nothing acknowledged may be lost, duplicated or missing from a read.
 * Then it is killed without synchronous standbys, where the check must detect the loss.
 */
await preflightOf(COMMAND, 'etcd', 'haproxy', 'patroni', 'pg_createcluster')
const cluster = new Cluster()
// PostgreSQL would keep running without the rest.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void cluster.remove().finally(() => process.exit(1)))
let isGood = true
try {
  await cluster.untilWhole()
  for (let n = 0; n < TIMES; n++) report('leader killed', await attack(cluster, n, killLeader), false)
  for (let n = 0; n < TIMES; n++) report('switched over', await attack(cluster, TIMES + n, switchOver), false)
  await cluster.becomeAsynchronous()
  report('leader killed, asynchronous', await attack(cluster, 2 * TIMES, killBehindStandbys), true)
} finally {
  await cluster.remove()
}
process.exit(isGood ? 0 : 1)

async function switchOver(): Promise<void> {
  await cluster.switchOver()
  await cluster.untilWhole()
}

async function killLeader(): Promise<void> {
  const leader = await cluster.leader()
  await leader.kill()
  await cluster.untilAnotherLeads(leader)
  leader.startPatroni()
  await cluster.untilWhole()
}

/** The standbys receive nothing while animals are acknowledged; then one of them takes over without those animals. */
async function killBehindStandbys(): Promise<void> {
  const leader = await cluster.leader()
  leader.stopSending()
  await cluster.untilBehind()
  await leader.kill()
  await cluster.untilAnotherLeads(leader)
}

function report(what: string, outcome: Outcome, mustLose: boolean): void {
  const { acknowledged, violations, unexpected, gapSeconds } = outcome
  const isAsExpected = mustLose ? violations.length > 0 : violations.length + unexpected.length === 0
  if (!isAsExpected) isGood = false
  say(
    `${isAsExpected ? '✓' : '✗'} ${what}: ${acknowledged} acknowledged, ${violations.length} lost, doubled or stale; ` +
      `no write for ${gapSeconds.toFixed(1)} s`,
  )
  if (!isAsExpected) for (const { rule, what } of violations.slice(0, 5)) say(`    ${rule}: ${what}`)
  for (const text of unexpected.slice(0, 5)) say(`    unexpected: ${text}`)
}
