import { Database } from 'bun:sqlite'
import { expect, mock, spyOn, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { engineAt, openStore } from '../../../tests/support/store.ts'
import type { KeyStore } from '../store.ts'

test("a service waits for another program's lock only while it can still say so in time, and a command waits longer", async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'petstore-')), 'animals.db')
  // Services of other tests may still be closing.
  using telling = spyOn(Worker.prototype, 'postMessage')
  using timers = spyOn(globalThis, 'setTimeout')
  /** How long the writer thread waits for the lock, and how long a call waits for the thread. */
  const waitsOf = async (keys: KeyStore) => {
    const revoking = keys.revoke('none', new Date())
    const callMs = Number(timers.mock.calls.at(-1)?.[1])
    await revoking
    return [telling.mock.calls.findLast(([sent]) => sent.path === path)?.[0].lockMs, callMs] as const
  }
  const command = await openStore(`sqlite:${path}`)
  const [commandLockMs, commandMs] = await waitsOf(command.keys)
  await command.close()
  const { result, kept } = await engineAt(`sqlite:${path}`).prepare(false, mock(), waitsOf)
  await kept.close()
  const [lockMs, serviceMs] = result
  expect(lockMs).toBeLessThan(serviceMs)
  expect(serviceMs).toBeLessThan(5000)
  expect(commandLockMs).toBeGreaterThan(serviceMs)
  expect(commandLockMs).toBeLessThan(commandMs)
})

test('of all connections, that of the writer thread is closed last, because the wait for it has a limit', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'petstore-')), 'animals.db')
  const order: string[] = []
  const { close } = Database.prototype
  const { postMessage } = Worker.prototype
  let writer: Worker | undefined
  using _reading = spyOn(Database.prototype, 'close').mockImplementation(function (this: Database, ...how) {
    if (this.filename === path) order.push('reads')
    close.apply(this, how)
  })
  using _writing = spyOn(Worker.prototype, 'postMessage').mockImplementation(function (
    this: Worker,
    ...sent
  ) {
    if (sent[0].path === path) writer = this
    if (this === writer && sent[0] === 'close') order.push('writer')
    postMessage.apply(this, sent as never)
  })
  const store = await openStore(`sqlite:${path}`)
  await store.ping()
  order.length = 0
  await store.close()
  expect(order).toEqual(['reads', 'writer'])
})
