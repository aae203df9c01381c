import { expect, test } from 'bun:test'
import { petJson } from '../../support/http.ts'
import { eventually } from '../../support/process.ts'
import { startProcess } from '../../support/service.ts'
import { startCluster } from './cluster.ts'

test('while the synchronous standby is away, lists are served without the animals that it lacks, no server process is left waiting, and no animal is acknowledged, not even if its wait is cancelled and the role hides warnings; lists are served after a crash, too', async () => {
  const { primary, link, databaseUrl, remove } = await startCluster('sync')
  await primary.query('ALTER ROLE postgres SET client_min_messages = error')
  const service = await startProcess({ databaseUrl })
  const addedAgain = () =>
    eventually('animals are added again', async () => {
      const answer = await service.post(petJson({}))
      return answer.status === 201 ? answer.pet : undefined
    })
  const { pet } = await service.post(petJson({}))
  link.hang()
  const waiting = "SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
  for (let batch = 0; batch < 3; batch++) {
    const adding = service.post(petJson({ name: 'unsafe' }))
    await eventually('it waits', async () => (await primary.query(waiting)).length > 0 || undefined)
    // Not cached: each limit is a new page.
    const listed = await service.fetch(`/v1/pets?limit=${10 + batch}`)
    expect([listed.status, listed.pets.map(({ id }) => id)]).toEqual([200, [pet.id]])
    expect((await adding).error.message).toContain('may or may not')
    expect((await service.fetch(`/v1/pets?limit=${20 + batch}`)).pets).toHaveLength(1)
    await eventually('nobody waits', async () => (await primary.query(waiting)).length === 0 || undefined)
  }
  const cancelled = service.post(petJson({}))
  await eventually('its commit waits, and is cancelled', async () => {
    const ended = await primary.query(waiting.replace('SELECT', 'SELECT pg_cancel_backend(pid)'))
    return ended.length > 0 || undefined
  })
  expect((await cancelled).failure).toBe('503 outcome_unknown')
  expect((await service.fetch('/v1/pets?limit=30')).pets).toHaveLength(1)
  link.resume()
  await addedAgain()
  link.hang()
  // The standby may stay away for long, so after a crash reads do not wait for it.
  await primary.crash()
  await primary.start()
  const listed = await eventually('lists are served', async () => {
    const answer = await service.fetch('/v1/pets?limit=31')
    return answer.status === 200 ? answer.pets : undefined
  })
  expect(listed).toHaveLength(6)
  link.resume()
  const later = await addedAgain()
  const ids = (await service.fetch('/v1/pets?limit=100')).pets.map(({ id }) => id)
  expect([ids.at(0), ids.at(-1), ids.length]).toEqual([pet.id, later.id, Number(later.id - pet.id) + 1])
  await service.kill()
  await remove()
})
