import type { Command } from 'commander'
import { commandName } from '../command-name.ts'
import { ERROR_CODES, type ErrorCode } from '../contract/errors.ts'
import { type Explanation, explain } from '../contract/explain.ts'
import { OperatorError } from '../operator-error.ts'
import { closest } from './terminal/closest.ts'
import { printFacts, withJson } from './terminal/facts.ts'
import { printable } from './terminal/printable.ts'
import { table } from './terminal/table.ts'

export function explainCommand(program: Command): void {
  withJson(program.command('explain'))
    .description('explain an error code and what to do about it')
    .argument('[code]', 'an error code, such as invalid_body; all codes if omitted')
    .action((text: string | undefined, options) => {
      if (text === undefined) {
        const all = ERROR_CODES.map(explain)
        return printFacts(options, all, () => overview(all))
      }
      const explanation = explain(known(text))
      return printFacts(options, explanation, () => details(explanation))
    })
}

function known(text: string): ErrorCode {
  const wanted = text.trim().toLowerCase()
  const code = ERROR_CODES.find(candidate => candidate === wanted)
  if (code !== undefined) return code
  const meant = closest(wanted, ERROR_CODES)
  throw new OperatorError(
    `There is no error code "${printable(text)}". ${meant ? `Did you mean ${meant}?` : `Run "${commandName()} explain" to see all of them.`}`,
    { exit: 'missing' },
  )
}

const overview = (explanations: readonly Explanation[]): string =>
  table(
    ['STATUS', 'CODE', 'MEANING'],
    explanations.map(({ status, code, meaning }) => [String(status), code, meaning]),
  )

const details = ({
  code,
  status,
  meaning,
  remedy,
  example,
  reference,
  operations,
}: Explanation): string => `${code} (HTTP ${status})

Meaning     ${meaning}
What to do  ${remedy}
Operations  ${operations.join(', ') || 'none: such a request reaches no operation'}
Reference   ${reference} of the service
Example     ${JSON.stringify({ code, message: example, status })}
`
