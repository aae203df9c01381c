import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { clientContract } from '../../scripts/build/client-contract.ts'
import { ERROR_CODES } from '../../src/contract/errors.ts'

const GENERATED = join(import.meta.dir, '../../client/src/contract.generated.ts')

test("the client's contract is what `npm run openapi` makes of the service's", async () => {
  expect(await Bun.file(GENERATED).text()).toBe(clientContract())
})

test.each(['README.md', 'src/errors.ts'])(
  '%s of the client, which people read or hover, names every error code',
  async file => {
    const text = await Bun.file(join(import.meta.dir, '../../client', file)).text()
    expect(ERROR_CODES.filter(code => !text.includes(`\`${code}\``))).toEqual([])
  },
)
