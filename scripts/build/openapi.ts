import { descriptionText, openApi } from '../../src/contract/openapi.ts'
import { DEFAULT_SERVERS } from '../../src/contract/servers.ts'

/** The text of openapi.json. */
export const openApiText = (): string => `${descriptionText(openApi(DEFAULT_SERVERS), 2)}\n`

if (import.meta.main) process.stdout.write(openApiText())
