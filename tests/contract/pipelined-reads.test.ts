import { beforeAll, expect, test } from 'bun:test'
import { API_KEY, RawConnection } from '../support/http.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService()
beforeAll(() => service().addAnimals(5))
// More, or a busy service, would make one of them wait, and then the runtime closes the connection.
test('a client of SQLite that pipelines four first reads gets all responses', async () => {
  const targets = ['/v1/pets/1', '/v1/pets?limit=2', '/v1/pets/1000', '/v1/pets?limit=3']
  using connection = new RawConnection(service().url)
  connection.send(
    targets
      .map(target => `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${API_KEY}\r\n\r\n`)
      .join(''),
  )
  for (const status of [200, 200, 404, 200]) expect(await connection.read()).toHaveStatus(status)
})
