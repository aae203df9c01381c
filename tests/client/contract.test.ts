import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { clientContract } from '../../scripts/build/client-contract.ts'
import { ERROR_CODES } from '../../src/contract/errors.ts'

const GENERATED = join(import.meta.dir, '../../client/src/contract.generated.ts')

test("the client's contract is what `npm run openapi` makes of the service's", async () => {
  expect(await Bun.file(GENERATED).text()).toBe(clientContract())
})

test("the client's README names every error code", async () => {
  const readme = await Bun.file(join(import.meta.dir, '../../client/README.md')).text()
  expect(ERROR_CODES.filter(code => !readme.includes(`\`${code}\``))).toEqual([])
})
