import { describe, expect, test } from 'bun:test'
import { curlOf, titled } from './connect.ts'

const url = 'http://127.0.0.1:8080/v1/pets'
const asked = { method: 'GET', url, requestHeaders: [], body: undefined, response: undefined }

describe('a request as curl', () => {
  test('takes the key from a variable', () => {
    expect(curlOf(asked)).toBe(`curl '${url}' \\\n  -H "Authorization: Bearer $PETSTORE_API_KEY"`)
  })

  test('leaves out what curl sends or needs not, and keeps the rest', () => {
    const headers = [
      ['accept', 'application/json'],
      ['idempotency-key', 'a-1'],
    ] as const
    expect(curlOf({ ...asked, method: 'POST', requestHeaders: headers, body: '{}' })).toBe(
      `curl -X POST '${url}' \\
  -H "Authorization: Bearer $PETSTORE_API_KEY" \\
  -H 'Idempotency-Key: a-1' \\
  --data-raw '{}'`,
    )
  })

  test('keeps a quote from ending the quoted text', () => {
    expect(curlOf({ ...asked, body: `{"name":"O'Malley"}` })).toEndWith(
      `--data-raw '{"name":"O'\\''Malley"}'`,
    )
  })
})

test('headers are written as people know them', () => {
  expect(['x-request-id', 'etag', 'content-type'].map(titled)).toEqual([
    'X-Request-Id',
    'ETag',
    'Content-Type',
  ])
})
