import { escapeHtml } from '../../web/markup.ts'
import { referenceBody } from '../../web/reference/render.ts'
import { BASE, SITE } from '../../web/reference/samples.ts'
import { type Environment, VERSION_PREFIX } from '../contract/servers.ts'
import { hasClient } from './built.ts'
import { loadPage, type Page } from './document.ts'

export async function loadReference(
  environment: Environment,
  baseUrl: string | undefined,
  ownUrl: string,
): Promise<Page> {
  const body = referenceBody(baseUrl !== undefined, await hasClient()).text
  const address = baseUrl ?? ownUrl
  return loadPage('reference', environment, `Petstore reference · ${environment}`, withAddress(body, address))
}

function withAddress(page: string, baseUrl: string): string {
  const base = escapeHtml(baseUrl)
  const site = base.slice(0, -VERSION_PREFIX.length)
  return page
    .replaceAll(BASE, () => `<span data-address="v1">${base}</span>`)
    .replaceAll(SITE, () => `<span data-address=".">${site}</span>`)
}
