import { expect, test } from 'bun:test'
import { type CopiedRow, copyRows } from './copy.ts'

test('a target that does not return what was written to it is no copy, and one that is stopped ends with its batch', async () => {
  const rows = async function* (): AsyncGenerator<CopiedRow[]> {
    yield [{ id: '1' }, { id: '2' }]
  }
  const source = { rows, cursorSecret: '', lastId: 2n }
  const target = {
    insert: async () => {},
    continueAs: async () => {},
    rows: async function* () {
      yield [{ id: '1' }, { id: '3' }]
    },
  }
  const counts: number[] = []
  const onRows = (count: number): void => void counts.push(count)
  const { signal } = new AbortController()
  await expect(copyRows(source, target, { onRows, signal })).rejects.toThrow(
    'The copy differs from its source (pets: 2 of 2 rows), so it was rolled back.',
  )
  expect(counts).toEqual([2, 2])
  const stop = new AbortController()
  // A signal arrives with a turn of the event loop.
  const onFirst = (): void => void setImmediate(() => stop.abort(new Error('stopped')))
  await expect(copyRows(source, target, { onRows: onFirst, signal: stop.signal })).rejects.toThrow('stopped')
  const signalled = AbortSignal.abort(new Error('stopped'))
  await expect(copyRows(source, target, { onRows, signal: signalled })).rejects.toThrow('stopped')
})
