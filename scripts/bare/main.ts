import { preflightOf } from '../../tests/support/programs/preflight.ts'
import { capture, say } from '../command.ts'
import { onlyRoot } from '../debian-root/only-root.ts'
import { Workplace } from '../debian-root/workplace.ts'
import { BareMachine } from './machine.ts'
import { closingLine, PROOFS, type Proof } from './proofs.ts'

/**
 * `npm run test:bare [-- a b c filter… --quick]`: README's `npm ci && npm test` on a machine that has only Node, for
 * each kind of user that the letters name, or for all.
 */
const args = process.argv.slice(2)
const isLetter = (arg: string): boolean => PROOFS.some(({ letter }) => letter === arg)
const letters = args.filter(isLetter)
const testArgs = args.filter(arg => !isLetter(arg))
const wanted = PROOFS.filter(({ letter }) => letters.length === 0 || letters.includes(letter))

onlyRoot('npm run test:bare')
await preflightOf('npm run test:bare', 'git', 'mmdebstrap')
if ((await capture('git', 'status', '--porcelain')).text !== '')
  say('\nWhat is not committed is not tested: the machine gets a clone.')

const summary: string[] = []
let isGood = true

async function prove(
  machine: BareMachine,
  { letter, name, user, variables, flags, judge }: Proof,
): Promise<void> {
  say(`\n══ (${letter}) ${name}`)
  const started = performance.now()
  const folder = await machine.clone(user, `petstore-${letter}`)
  const command = ['npm', 'test', '--', ...flags, ...testArgs].join(' ')
  const tests = await machine.run(user, folder, `npm ci && ${command}`, variables)
  const faults = await judge(tests, machine, folder)
  const seconds = ((performance.now() - started) / 1000).toFixed(0)
  summary.push(`${faults.length === 0 ? '✓' : '✗'} (${letter}) ${name}: ${closingLine(tests)} (${seconds} s)`)
  summary.push(...faults.map(fault => `      ${fault}`))
  isGood &&= faults.length === 0
}

const isDone = await Workplace.use('bare', async place => {
  say('\nMaking the machine')
  const machine = await BareMachine.make(place)
  for (const proof of wanted) await prove(machine, proof)
})
say(`\n${summary.join('\n')}`)
process.exit(isDone && isGood ? 0 : 1)
