import { expect } from 'bun:test'
import { browserTests } from '../../support/browser/browser.ts'
import { button, chooseFile, heading, tile } from '../../support/browser/sheet.ts'
import { seeded } from '../../support/load.ts'
import { TcpProxy } from '../../support/tcp-proxy.ts'

const { test, withConsole } = browserTests()
const app = withConsole()

test('after 20 lost responses, the result has as many animals and IDs as the store gained', async () => {
  using proxy = await TcpProxy.to(Number(new URL(app.service().url).port))
  const seed = Number(process.env.FC_SEED ?? Date.now())
  const random = seeded(seed)
  const places = new Set<number>()
  while (places.size < 20) places.add(random(60))
  let created = 0
  proxy.loses = answer => {
    if (!answer.includes(' 201 ')) return false
    if (created === 30) void app.add({ name: 'Of someone else' })
    return places.has(created++)
  }
  const page = await app.openSignedIn('/#import', { baseURL: `http://127.0.0.1:${proxy.port}` })
  const rows = Array.from({ length: 60 }, (_, n) => `Lost ${n % 30},3`)
  await chooseFile(page, 'lost.csv', ['name,category', ...rows].join('\n'))
  await button(page, 'Add 60 animals').click()
  await heading(page, /were added/)
  const told = await tile(page, 'Added').textContent()
  const lost = await app.stored(/^Lost/)
  for (const { name } of lost) expect(lost.filter(pet => pet.name === name)).toHaveLength(2)
  const gained = lost.map(({ id }) => id)
  const ids = `${gained.length} IDs from ${gained[0]} to ${gained.at(-1)}`
  expect([seed, gained.length, told]).toEqual([seed, 60, ` Added${gained.length}${ids}`])
})
