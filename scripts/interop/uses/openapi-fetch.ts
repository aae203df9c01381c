import createClient from 'openapi-fetch'
import type { paths } from '../generated/openapi-typescript/schema.ts'
import { API_KEY, BASE_URL, expectEqual } from './expect.ts'

const client = createClient<paths>({ baseUrl: BASE_URL, headers: { Authorization: `Bearer ${API_KEY}` } })

const added = await client.POST('/pets', { body: { name: 'Rex', categoryId: 7 } })
expectEqual(added.data?.status, 'available')
const id = added.data?.id ?? 0

const listed = await client.GET('/pets', { params: { query: { limit: 1, status: 'available' } } })
expectEqual(listed.data?.length, 1)

const got = await client.GET('/pets/{petId}', { params: { path: { petId: id } } })
expectEqual(got.data?.name, 'Rex')

const refused = await client.GET('/pets', { params: { query: { limit: 0 } } })
if (refused.error?.status !== 400) throw new Error('A limit of 0 must be refused')
// Open, so that a client made from this description outlives a new code.
const code: string = refused.error.code
expectEqual(code, 'invalid_query')
