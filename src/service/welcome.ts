import type { Config } from '../config/load.ts'
import { keyCommand } from '../keys/create.ts'

/** What a new user sees after `npm start`: the addresses and a command to paste. */
export function welcome(
  url: string,
  { environment, database, hasConsole }: Config,
  newKey: string | undefined,
): string {
  const lines = [
    '',
    `  Petstore is running (${environment}).`,
    '',
    ...(hasConsole ? [`  Console       ${url}/`, `  Reference     ${url}/docs`] : []),
    `  API           ${url}/v1`,
    `  Description   ${url}/openapi.json`,
    `  Health        ${url}/livez  ${url}/readyz`,
    `  Animals in    ${database.publicName}`,
    '',
  ]
  if (newKey === undefined) lines.push(`  Create an API key:  ${keyCommand(environment)}`, '')
  else
    lines.push(
      '  Your API key. It is shown only once. In a second terminal, store it in a variable:',
      '',
      `  export PETSTORE_API_KEY='${newKey}'`,
      '',
      '  Add the first animal:',
      '',
      `  curl -X POST ${url}/v1/pets \\`,
      '    -H "Authorization: Bearer $PETSTORE_API_KEY" \\',
      '    -H "Content-Type: application/json" \\',
      `    -d '{"name":"Rex","categoryId":7}'`,
      '',
    )
  return lines.join('\n')
}
