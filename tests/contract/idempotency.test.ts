import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { petJson, walk } from '../support/http.ts'
import { pathOf } from '../support/process.ts'
import { onEveryEngine, startService } from '../support/service.ts'
import { addKey, addTo, openStore } from '../support/store.ts'

const BODY = petJson({ name: 'Rex', categoryId: 9007199254740993n })

onEveryEngine('idempotency', service => {
  const animals = async (): Promise<number> => (await walk(service(), '/v1/pets?limit=100')).pets.length

  test('a repeat returns the first answer, says so, and adds nothing', async () => {
    const first = await service().post(BODY, { 'Idempotency-Key': 'repeat' })
    expect(first).toHaveStatus(201)
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    const count = await animals()
    for (let n = 0; n < 3; n++) {
      const again = await service().post(BODY, { 'Idempotency-Key': 'repeat' })
      expect(again).toHaveStatus(201)
      expect(again.text).toBe(first.text)
      expect(again.headers.get('location')).toBe(first.headers.get('location'))
      expect(again.headers.get('idempotent-replayed')).toBe('true')
    }
    expect(await animals()).toBe(count)
  })

  test('the same meaning counts as the same body: spacing, order, ignored fields, a spelled-out default', async () => {
    const first = await service().post('{"name":"Rex","categoryId":7}', { 'Idempotency-Key': 'meaning' })
    expect(first).toHaveStatus(201)
    for (const body of [
      ' { "categoryId" : 7.0 , "name" : "Rex" } ',
      '{"name":"Rex","categoryId":7,"status":"available"}',
      '{"id":9,"name":"R\\u0065x","categoryId":7}',
    ])
      expect((await service().post(body, { 'Idempotency-Key': 'meaning' })).text).toBe(first.text)
  })

  test('the same key with another body is a 422 and adds nothing', async () => {
    // Neighbours that a double would confuse.
    const [categoryId, next] = [9007199254740992n, 9007199254740993n]
    const first = await service().post(petJson({ categoryId }), { 'Idempotency-Key': 'reused' })
    expect(first).toHaveStatus(201)
    const count = await animals()
    for (const other of [{ categoryId: next }, { categoryId, name: 'rex' }, { categoryId, status: 'sold' }]) {
      const answer = await service().post(petJson(other), { 'Idempotency-Key': 'reused' })
      expect(answer.failure).toBe('422 idempotency_key_reused')
    }
    expect(await animals()).toBe(count)
  })

  test('different API keys do not share idempotency keys', async () => {
    const other = await addKey(service().options.databaseUrl, 'other caller')
    const mine = await service().post(BODY, { 'Idempotency-Key': 'shared' })
    const theirs = await service().post(BODY, { 'Idempotency-Key': 'shared' }, other)
    expect(theirs).toHaveStatus(201)
    expect(theirs.headers.get('idempotent-replayed')).toBeNull()
    expect(theirs.pet.id).not.toBe(mine.pet.id)
  })

  test('keys are compared exactly', async () => {
    const ids = new Set<bigint>()
    for (const key of ['case', 'Case', 'case.', 'x'.repeat(254), 'x'.repeat(255), '"case"', 'a,b']) {
      const answer = await service().post(BODY, { 'Idempotency-Key': key })
      expect(answer).toHaveStatus(201)
      ids.add(answer.pet.id)
    }
    expect(ids.size).toBe(7)
  })

  test.each(['', '   ', 'x'.repeat(256)])('%p is no key, but a 400, whatever the body', async key => {
    for (const body of [BODY, '{', '{}']) {
      const answer = await service().post(body, { 'Idempotency-Key': key })
      expect(answer.failure).toBe('400 invalid_idempotency_key')
    }
  })

  test('a rejected request is not remembered', async () => {
    const headers = { 'Idempotency-Key': 'rejected' }
    expect(await service().post('{}', headers)).toHaveStatus(400)
    expect(await service().post('{', headers)).toHaveStatus(400)
    const first = await service().post(BODY, headers)
    expect(first).toHaveStatus(201)
    expect(first.headers.get('idempotent-replayed')).toBeNull()
  })

  test('of one batch with one key twice, both get the animal of the first, and the others their own', async () => {
    await using store = await openStore(service().options.databaseUrl, { create: false })
    const add = (name: string, key?: string) => addTo(store, name, key)
    const known = await add('known', 'known')
    const batch = [
      add('one', 'twice'),
      add('plain'),
      add('two', 'twice'),
      add('again', 'known'),
      add('other', 'o'),
    ]
    const added = await Promise.all(batch)
    const outcomes = added.map(({ pet, replayed }) => `${pet.name} ${replayed}`)
    expect(outcomes).toEqual(['one false', 'plain false', 'one true', 'known true', 'other false'])
    expect([added[2]?.pet, added[3]?.pet]).toEqual([added[0]?.pet, known.pet])
    expect(new Set(added.map(({ pet }) => pet.id)).size).toBe(4)
  })
})

test('while the first request with a key runs, another one is a 409 that says when to retry, but not of another caller', async () => {
  using service = await startService()
  const caller = await addKey(service.options.databaseUrl, 'other caller')
  using other = new Database(pathOf(service.options.databaseUrl))
  other.run('BEGIN IMMEDIATE')
  const theirs = service.post(BODY, { 'Idempotency-Key': 'running' }, caller)
  const posts = [1, 2].map(() => service.post(BODY, { 'Idempotency-Key': 'running' }))
  const refused = await Promise.race(posts)
  other.run('ROLLBACK')
  expect([refused.failure, refused.headers.get('retry-after')]).toEqual(['409 idempotency_in_progress', '1'])
  const answers = await Promise.all([...posts, theirs])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 409])
})

test('no two databases store an idempotency key in the same form, so it cannot be guessed from that', async () => {
  const stored = new Set<unknown>()
  for (let n = 0; n < 2; n++) {
    using service = await startService()
    expect(await service.post(BODY, { 'Idempotency-Key': 'secret' })).toHaveStatus(201)
    using database = new Database(pathOf(service.options.databaseUrl))
    stored.add(database.query('SELECT key FROM idempotency').values()[0]?.[0])
  }
  expect([...stored]).toEqual([expect.any(String), expect.any(String)])
})
