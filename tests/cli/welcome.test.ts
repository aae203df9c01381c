import { describe, expect, test } from 'bun:test'
import { freshSqliteUrl } from '../support/folder.ts'
import { HINTED } from '../support/process.ts'
import { needs } from '../support/programs/needs.ts'
import { API_KEY, startService } from '../support/service.ts'

const KEY = /pets_(?:live|test)_[0-9A-Za-z]{33}/g

describe('serve --welcome', () => {
  needs('curl').test(
    'makes the first key, shows it once with a curl line that works, and not at the second start',
    async () => {
      const first = await startService({
        databaseUrl: await freshSqliteUrl(),
        variables: { PETSTORE_API_KEY: '' },
        flags: ['--welcome'],
      })
      const [key = '', ...repeated] = new Set(first.output.text.match(KEY))
      expect(repeated).toEqual([])
      expect((await first.fetch('/v1/pets', { key })).status).toBe(200)
      for (const path of ['/', '/docs', '/v1', '/openapi.json', '/livez', '/readyz'])
        expect(first.output.text).toContain(first.url + path)

      const curl = /^ {2}(curl [\s\S]*?[^\\]\n)/m.exec(first.output.text)?.[1] ?? ''
      const shell = Bun.spawn(['sh', '-c', curl.replace('curl', 'curl -sS -w " %{http_code}"')], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      expect(await shell.stdout.text()).toMatch(
        /^\{"id":1,"name":"Rex","categoryId":7,"status":"available"\} 201$/,
      )

      const second = await first.restart()
      expect(second.output.text).toContain('Petstore is running')
      expect(second.output.text).not.toMatch(KEY)
      expect((await second.fetch('/v1/pets', { key })).status).toBe(200)
      await second.stop()
    },
  )

  test('makes no key where PETSTORE_API_KEY gives one, and does not show that one', async () => {
    const service = await startService({ databaseUrl: await freshSqliteUrl(), flags: ['--welcome'] })
    expect(service.output.text).toContain('Petstore is running')
    await service.stop()
    expect(service.output.text).not.toMatch(KEY)
    expect(service.output.text).not.toContain(API_KEY)
  })
})

describe('plain serve', () => {
  test('prints no secret and makes no key: it says how to make one', async () => {
    const service = await startService({
      databaseUrl: await freshSqliteUrl(),
      variables: { PETSTORE_API_KEY: '' },
    })
    const { hint, level } = await service.output.entry(line => line.event === 'no-api-key')
    expect(level).toBe('warn')
    expect(hint).toContain(`${HINTED} keys create --name`)
    await service.stop()
    expect(service.output.text + service.errors.text).not.toMatch(KEY)
  })
})
