import { parseArgs } from 'node:util'
import { WORKLOADS, type Workload } from './workloads.ts'

export type Options = {
  rounds: number
  seconds: number
  warmUpSeconds: number
  workloads: readonly Workload[]
  peers: boolean
  check: boolean
  /** Renders the report of the last full run again, without measuring. */
  reportOnly: boolean
}

export const USAGE = `bun bench/run.ts [options]

  --quick          floor and service only, short rounds, within two minutes
  --check          the service and the floor only, in three minutes; exit 1 when a ratio has fallen too far
  --only a,b       only these workloads: ${WORKLOADS.join(', ')}
  --rounds N       rounds of each workload (3)
  --seconds N      seconds of load in each round (3)
  --no-peers       floor and service only
  --report-only    write the table and the picture again from results/latest.json
`

export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      only: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      'no-peers': { type: 'boolean', default: false },
      'report-only': { type: 'boolean', default: false },
    },
  })
  const short = values.quick || values.check
  return {
    rounds: positive('rounds', values.rounds ?? '3'),
    seconds: positive('seconds', values.seconds ?? (short ? '1' : '3')),
    // The JIT compiler needs seconds for code of this size; a quick run does not wait until it has finished.
    warmUpSeconds: values.quick ? 1 : 3,
    workloads: values.only === undefined ? WORKLOADS : values.only.split(',').map(workload),
    peers: !(short || values['no-peers']),
    check: values.check,
    reportOnly: values['report-only'],
  }
}

function positive(name: string, text: string): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1) throw new Error(`--${name} must be a whole number from 1`)
  return number
}

function workload(name: string): Workload {
  const known = WORKLOADS.find(each => each === name)
  if (!known) throw new Error(`--only knows ${WORKLOADS.join(', ')}, not ${name}`)
  return known
}
