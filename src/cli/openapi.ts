import type { Command } from 'commander'
import { openApi } from '../contract/openapi.ts'
import { DEFAULT_SERVERS } from '../contract/servers.ts'
import { print } from './terminal/output.ts'

export function openapiCommand(program: Command): void {
  program
    .command('openapi')
    .description('print the OpenAPI 3.1 description of the API')
    .action(() => print(`${JSON.stringify(openApi(DEFAULT_SERVERS), null, 2)}\n`))
}
