import { appendFileSync } from 'node:fs'
import '../../tests/support/setup.ts'
import { Service } from '../../tests/support/service.ts'

/** Preloaded by `bun test`: appends every answer of an operation to the file that PETSTORE_RECORD names. */
const OPERATION = /^(GET|POST) \/v1\/pets(\?|$)|^GET \/v1\/pets\/[^/?]+(\?|$)/
const { fetch } = Service.prototype

Service.prototype.fetch = async function (target, options = {}) {
  const answer = await fetch.call(this, target, options)
  const { method = 'GET' } = options
  if (OPERATION.test(`${method} ${target}`)) {
    const path = target.startsWith('/v1/pets/') ? '/pets/1' : '/pets'
    const recorded = { ...answer, headers: [...answer.headers], method, path }
    appendFileSync(process.env.PETSTORE_RECORD ?? '', `${JSON.stringify(recorded)}\n`)
  }
  return answer
}
