import { figure } from './form.ts'

/** Of the many writes the short form tries every fourth, each time from another one on. */
const EVERY = figure(4, 1)

/** The numbers of the calls before which a program is to be killed, one after the other and without end. */
export function* killPoints(calls: string): Generator<number> {
  const isOften = calls === 'pwrite64'
  const first = isOften ? 1 + Math.floor(Math.random() * EVERY) : 1
  if (isOften) process.stdout.write(`  killed before write ${first} and every ${EVERY} after it\n`)
  for (let call = first; ; call += isOften ? EVERY : 1) yield call
}
