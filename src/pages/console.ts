import type { Environment } from '../contract/servers.ts'
import { loadPage, type Page } from './document.ts'

export const loadConsole = (environment: Environment): Promise<Page> =>
  loadPage('console', () => ({
    title: `Petstore · ${environment}`,
    body: `
<div id="app" data-environment="${environment}"></div>
<noscript><p>The console needs JavaScript. The API does not; its OpenAPI document is at <a href="openapi.json">/openapi.json</a>.</p></noscript>`,
  }))
