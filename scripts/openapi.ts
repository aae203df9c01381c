import { descriptionText, openApi } from '../src/contract/openapi.ts'
import { DEFAULT_SERVERS } from '../src/contract/servers.ts'

/** Prints the OpenAPI document, for `npm run openapi > openapi.json`. */
await Bun.write(Bun.stdout, `${descriptionText(openApi(DEFAULT_SERVERS), 2)}\n`)
