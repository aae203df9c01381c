import { argumentsOf, refuse, say } from '../../scripts/command.ts'
import { described } from '../load.ts'
import { measureCreates } from './creates.ts'
import { measureRequests } from './requests.ts'
import { measureStores } from './stores.ts'

const PARTS = {
  requests: measureRequests,
  stores: measureStores,
  creates: measureCreates,
}

const USAGE = `npm run capacity -- [--quick] [part…]

Prints the rows of the tables in docs/capacity.md, or only of these parts: ${Object.keys(PARTS).join(', ')}.

  --quick    one round and a hundredth of the animals, to see that everything works`

const { positionals: names, values } = argumentsOf(USAGE, { quick: { type: 'boolean' } }, true)
const unknown = names.find(name => !(name in PARTS))
if (unknown !== undefined) refuse(`There is no part ${unknown}.`, USAGE)
const { machine, revision } = await described()
say(`${machine}; revision ${revision}`)
const effort = values.quick ? { rounds: 1, million: 10_000 } : { rounds: 3, million: 1_000_000 }
for (const [name, measure] of Object.entries(PARTS))
  if (names.length === 0 || names.includes(name)) await measure(effort)
