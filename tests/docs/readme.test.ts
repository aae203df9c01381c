import { expect, test } from 'bun:test'
import { freshSqliteUrl } from '../support/folder.ts'
import { startService } from '../support/service.ts'
import { read } from './shell-blocks.ts'

test("the README's animals get the answers and the tags that it shows", async () => {
  const readme = await read('README.md')
  const service = await startService({ databaseUrl: await freshSqliteUrl() })
  const bodies = [...readme.matchAll(/-d '(\{"name":.*\})'/g)].map(([, body = '']) => body)
  expect(bodies).toHaveLength(3)
  for (const body of bodies) expect(readme).toContain((await service.post(body)).text)
  for (const target of ['/v1/pets/2', '/v1/pets?status=sold'])
    expect(readme).toContain(`ETag: ${(await service.fetch(target)).headers.get('etag')}`)
  expect(await service.stop()).toBe(0)
})
