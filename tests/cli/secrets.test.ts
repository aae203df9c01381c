import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { createKey, freshSqliteUrl } from '../support/process.ts'
import { startProcess } from '../support/service.ts'

test('no key, body or query is ever written to the log or, in the clear, to the database', async () => {
  const databaseUrl = await freshSqliteUrl()
  const configured = 'canary-configured-0123456789'
  const made = await createKey(databaseUrl, 'canary')
  const service = await startProcess({ databaseUrl, variables: { PETSTORE_API_KEY: configured } })
  const wrong = `pets_live_${'c'.repeat(33)}`
  const keys = [configured, made, wrong, `${made}x`, 'canary-malformed']
  for (const key of keys) {
    await service.fetch('/v1/pets', { key })
    await service.fetch('/v1/pets?limit=canary-query', { key })
    await service.fetch('/v1/canary-path', { key })
    await service.post(
      '{"name":"canary-body","categoryId":1}',
      { 'Idempotency-Key': 'canary-idempotency' },
      key,
    )
    await service.post('{"name":"canary-body",', {}, key)
  }
  expect(await service.stop()).toBe(0)
  const printed = service.output.text + service.errors.text
  expect(service.output.log.filter(({ event }) => event === 'request')).toHaveLength(keys.length * 5)
  for (const secret of [...keys, made.slice(14)]) expect(printed).not.toContain(secret)
  expect(printed).not.toMatch(/canary-(body|query|path|idempotency)/)

  const stored = readFileSync(databaseUrl.replace('sqlite:', ''), 'latin1')
  expect(stored).toContain('canary-body')
  for (const secret of ['canary-idempotency', configured, made.slice(14)])
    expect(stored).not.toContain(secret)
})
