import type { Config } from '../config/load.ts'
import { DEFAULT_SERVERS, PETS_PATH, VERSION_PREFIX } from '../contract/servers.ts'
import { keyCommand } from '../keys/api-key.ts'

/** What a new user sees after `npm start`: the addresses and a command to paste. */
export function welcome(url: string, config: Config, firstKey: string | undefined): string {
  const { environment, database, hasConsole } = config
  const pages = `
  Console       ${url}/
  Reference     ${url}/docs`
  // Commands in another terminal know only the default address.
  const isElsewhere = url + VERSION_PREFIX !== DEFAULT_SERVERS.production
  const firstSteps = `
  Your API key. It is shown only once. In a second terminal, store it in a variable:

  export PETSTORE_API_KEY='${firstKey}'${isElsewhere ? `\n  export PETSTORE_BASE_URL='${url}${VERSION_PREFIX}'` : ''}

  Add the first animal:

  curl -X POST ${url}${VERSION_PREFIX}${PETS_PATH} \\
    -H "Authorization: Bearer $PETSTORE_API_KEY" \\
    -H "Content-Type: application/json" \\
    -d '{"name":"Rex","categoryId":7}'
`
  return `
  Petstore is running (${environment}).
${hasConsole ? pages : ''}
  API           ${url}${VERSION_PREFIX}
  OpenAPI       ${url}/openapi.json
  Health        ${url}/livez  ${url}/readyz
  Animals in    ${database.publicName}
${firstKey ? firstSteps : `\n  Create an API key:  ${keyCommand(environment)}\n`}`
}
