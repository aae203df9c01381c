import { expect, test } from 'bun:test'
import { petJson } from '../support/http.ts'
import { onOneEngine } from '../support/service.ts'

onOneEngine(
  'a staging service that rehearses the sunset',
  service => {
    test('answers getPet with 410 after authentication, whether or not there is such an animal', async () => {
      await service().post(petJson({}))
      for (const target of ['/v1/pets/1', '/v1/pets/999', '/v1/pets/nonsense']) {
        const { failure, error } = await service().fetch(target)
        expect(failure).toBe('410 operation_removed')
        expect(error.message).toStartWith('This staging service rehearses the removal of this operation.')
      }
      expect(await service().fetch('/v1/pets/1', { method: 'HEAD' })).toHaveStatus(410)
      expect((await service().fetch('/v1/pets/1', { key: null })).failure).toBe('401 missing_api_key')
    })

    test('leaves all other answers as they are', async () => {
      expect(await service().post(petJson({}))).toHaveStatus(201)
      expect(await service().fetch('/v1/pets?status=available')).toHaveStatus(200)
      const refused = await service().fetch('/v1/pets/1', { method: 'DELETE' })
      expect(refused.failure).toBe('405 method_not_allowed')
    })
  },
  { variables: { PETSTORE_ENV: 'staging', PETSTORE_REHEARSE_SUNSET: 'on' } },
)
