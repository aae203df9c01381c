import type { Command } from 'commander'
import { commandName } from '../command-name.ts'
import { ERROR_CODES, type ErrorCode } from '../contract/errors.ts'
import { type Explanation, explain } from '../contract/explain.ts'
import { OperatorError } from '../operator-error.ts'
import { printable } from './printable.ts'
import { table } from './table.ts'

export function explainCommand(program: Command): void {
  program
    .command('explain')
    .description('say what an error code means and what to do about it')
    .argument('[code]', 'the code of an error, such as invalid_body; all of them when left out')
    .action((code: string | undefined) => {
      process.stdout.write(code === undefined ? overview() : details(explain(known(code))))
    })
}

function known(text: string): ErrorCode {
  const code = ERROR_CODES.find(candidate => candidate === text.trim().toLowerCase())
  if (code !== undefined) return code
  throw new OperatorError(
    `There is no error code "${printable(text)}". Run "${commandName()} explain" to see all of them.`,
  )
}

const overview = (): string =>
  table(
    ['STATUS', 'CODE', 'MEANING'],
    ERROR_CODES.map(explain).map(({ status, code, meaning }) => [String(status), code, meaning]),
  )

const details = ({
  code,
  status,
  meaning,
  remedy,
  example,
  operations,
}: Explanation): string => `${code} (HTTP ${status})

Meaning     ${meaning}
What to do  ${remedy}
Operations  ${operations.join(', ') || 'none: the path belongs to no operation'}
Example     ${JSON.stringify({ code, message: example, status })}
`
