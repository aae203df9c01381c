import { expect, test } from 'bun:test'
import { freshSqliteUrl } from '../support/service/folder.ts'
import { startService } from '../support/service/service.ts'
import { read } from './shell-blocks.ts'

test("the reference's animals get the answers and the tags that it shows", async () => {
  const page = await read('docs/reference/api.md')
  const service = await startService({ databaseUrl: await freshSqliteUrl() })
  const bodies = [...page.matchAll(/-d '(\{"name":.*\})'/g)].map(([, body = '']) => body)
  expect(bodies).toHaveLength(2)
  await service.post('{"name":"Rex","categoryId":7}')
  for (const body of bodies) expect(page).toContain((await service.post(body)).text)
  for (const target of ['/v1/pets/2', '/v1/pets?status=sold'])
    expect(page).toContain(`ETag: ${(await service.fetch(target)).headers.get('etag')}`)
  expect(await service.stop()).toBe(0)
})
