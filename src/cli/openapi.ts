import type { Command } from 'commander'
import { openApi } from '../contract/openapi.ts'
import { DEFAULT_SERVERS } from '../contract/servers.ts'

export function openapiCommand(program: Command): void {
  program
    .command('openapi')
    .description('print the OpenAPI 3.1 description of the API')
    .action(() => {
      process.stdout.write(`${JSON.stringify(openApi(DEFAULT_SERVERS), null, 2)}\n`)
    })
}
