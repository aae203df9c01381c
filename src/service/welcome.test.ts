import { expect, test } from 'bun:test'
import { loadConfig } from '../config/load.ts'
import { DEFAULT_SERVERS } from '../contract/servers.ts'
import { welcome } from './welcome.ts'

test('the welcome at the default address, which commands know, sets none, and without a console names no page', () => {
  const text = welcome('http://127.0.0.1:8080', loadConfig({ hasConsole: 'off' }, {}), 'key')
  expect(text).toContain("export PETSTORE_API_KEY='key'\n\n")
  expect(text).not.toMatch(/PETSTORE_BASE_URL|\/docs/)
})

test('the first command of a new user sends the key of the variable, and JSON', () => {
  const text = welcome('http://127.0.0.1:8080', loadConfig({}, {}), 'key')
  const headers = Array.from(text.matchAll(/-H "(.+)" \\\n/g), ([, header]) => header)
  expect(headers).toEqual(['Authorization: Bearer $PETSTORE_API_KEY', 'Content-Type: application/json'])
})

test('a new user of staging sets its address, also where it is the usual one of staging', () => {
  const text = welcome(
    DEFAULT_SERVERS.staging.replace('/v1', ''),
    loadConfig({ environment: 'staging' }, {}),
    'key',
  )
  expect(text).toContain(`export PETSTORE_BASE_URL='${DEFAULT_SERVERS.staging}'`)
})
