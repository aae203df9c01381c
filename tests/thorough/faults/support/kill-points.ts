import { figure } from './form.ts'

/** There are many writes, so the short form tries every fourth, from a random start. */
const EVERY = figure(4, 1)

/** Yields the numbers of the calls before which to kill a program, in order and without end. */
export function* killPoints(calls: string): Generator<number> {
  const isOften = calls === 'pwrite64'
  const first = isOften ? 1 + Math.floor(Math.random() * EVERY) : 1
  if (isOften) process.stdout.write(`  killed before write ${first} and every ${EVERY} after it\n`)
  for (let call = first; ; call += isOften ? EVERY : 1) yield call
}
