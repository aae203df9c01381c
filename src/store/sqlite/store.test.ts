import { Database } from 'bun:sqlite'
import { expect, mock, spyOn, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { engineAt, openStore } from '../../../tests/support/store.ts'

test("a service waits for another program's lock only while it can still say so in time, and a command waits longer", async () => {
  const url = `sqlite:${join(mkdtempSync(join(tmpdir(), 'petstore-')), 'animals.db')}`
  using telling = spyOn(Worker.prototype, 'postMessage')
  using timers = spyOn(globalThis, 'setTimeout')
  /** How long the writer thread waits for the lock, and how long a call waits for the thread. */
  const waitsOf = async (use: () => Promise<unknown>) => {
    telling.mockClear()
    await use()
    return [telling.mock.calls[0]?.[0].lockMs, Number(timers.mock.calls.at(-1)?.[1])] as const
  }
  const [commandLockMs, commandMs] = await waitsOf(async () => {
    await using store = await openStore(url)
    await store.ping()
  })
  const [lockMs, serviceMs] = await waitsOf(async () => {
    const { kept } = await engineAt(url).prepare(false, mock(), mock())
    await kept.close()
  })
  expect(lockMs).toBeLessThan(serviceMs)
  expect(serviceMs).toBeLessThan(5000)
  expect(commandLockMs).toBeGreaterThan(serviceMs)
  expect(commandLockMs).toBeLessThan(commandMs)
})

test('of all connections, that of the writer thread is closed last, because the wait for it has a limit', async () => {
  const store = await openStore(`sqlite:${join(mkdtempSync(join(tmpdir(), 'petstore-')), 'animals.db')}`)
  const order: unknown[] = []
  const { close } = Database.prototype
  const { postMessage } = Worker.prototype
  using _reading = spyOn(Database.prototype, 'close').mockImplementation(function (this: Database, ...how) {
    order.push('reads')
    close.apply(this, how)
  })
  using _writing = spyOn(Worker.prototype, 'postMessage').mockImplementation(function (
    this: Worker,
    message,
  ) {
    order.push(message)
    postMessage.call(this, message)
  })
  await store.close()
  expect(order).toEqual(['reads', 'close'])
})
