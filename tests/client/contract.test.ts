import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { clientContract } from '../../scripts/client-contract.ts'

const GENERATED = join(import.meta.dir, '../../client/src/contract.generated.ts')

test("the client's contract is what `npm run client:contract` makes of the service's", async () => {
  expect(await Bun.file(GENERATED).text()).toBe(clientContract())
})
