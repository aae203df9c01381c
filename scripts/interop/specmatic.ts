import { join } from 'node:path'
import { MESSAGES } from '../../src/contract/messages.ts'
import { program } from '../../tests/support/programs/program.ts'
import { freshFolder } from '../../tests/support/service/folder.ts'
import { ROOT } from '../command.ts'
import { capture, HERE } from './tool.ts'

/** Endings of accepted failures; docs/reference/interoperability.md gives the reasons. */
const EXPLAINED: Readonly<Record<string, RegExp>> = {
  'made-up cursor': new RegExp(
    `GET /pets -> 200[\\s\\S]*The query is invalid: (${MESSAGES.cursorIsNotOurs}|cursor must not be empty)`,
  ),
  'made-up identifier': /GET \/pets\/\(petId:number\) -> 200[\s\S]*"code": "pet_not_found"/,
  'one Idempotency-Key for different animals': /POST \/pets -> 201[\s\S]*"code": "idempotency_key_reused"/,
  'a negative test with nothing wrong in it': /POST \/pets -> 4xx has FAILED[\s\S]*received 201/,
}
const DESCRIPTION = join(ROOT, 'openapi.json')
export const OVERLAY = `--overlay-file=${join(HERE, 'specmatic-overlay.yaml')}`
const OUTCOME = /^[+-]ve +Scenario: .* has (SUCCEEDED|FAILED)/m

/** Lets Specmatic make valid and invalid requests and judge the answers. Returns how many passed or are explained. */
export async function specmatic(baseUrl: string, key: string, ...options: string[]): Promise<string> {
  const jar = join(HERE, 'node_modules/specmatic/specmatic.jar')
  const { text } = await capture(
    [program('java'), '-jar', jar, 'test', DESCRIPTION, `--testBaseURL=${baseUrl}`, ...options],
    { SPECMATIC_GENERATIVE_TESTS: 'true', ApiKey: key },
    // It writes reports to its working directory.
    await freshFolder(),
  )
  const tests = text.split(/^-{20}$/m).filter(part => OUTCOME.test(part))
  const failed = tests.filter(part => OUTCOME.exec(part)?.[1] === 'FAILED')
  const reasons = failed.map(part =>
    Object.keys(EXPLAINED).find(reason => EXPLAINED[reason]?.test(whole(part))),
  )
  const open = failed.filter((_, place) => reasons[place] === undefined)
  if (tests.length < 100) throw new Error(`only ${tests.length} tests ran:\n${text.slice(-2000)}`)
  if (open.length > 0) throw new Error(`${open.length} of ${tests.length} not explained, such as:${open[0]}`)
  const counted = [...Map.groupBy(reasons, reason => reason)].map(
    ([reason, all]) => `${reason} ${all.length}×`,
  )
  return `${tests.length - failed.length} of ${tests.length} pass; explained: ${counted.join(', ')}`
}

/** The request, then the answer: Specmatic prints them the other way round. */
const whole = (part: string): string => {
  const at = part.search(OUTCOME)
  return part.slice(at) + part.slice(0, at)
}
