import type { Command } from 'commander'
import { descriptionText, openApi } from '../contract/openapi.ts'
import { DEFAULT_SERVERS } from '../contract/servers.ts'
import { print } from './terminal/output.ts'

export function openapiCommand(program: Command): void {
  program
    .command('openapi')
    .description('print the OpenAPI 3.1 description of the API')
    .action(() => print(`${descriptionText(openApi(DEFAULT_SERVERS), 2)}\n`))
}
