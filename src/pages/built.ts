import { join } from 'node:path'
import { ApiError } from '../contract/errors.ts'

/** Files that `npm ci` and `npm run build` build (scripts/build). The executable contains their contents in place of this file. */

export const PAGES_FILE = join(import.meta.dir, '../../dist/pages.json')
export const CLIENT_FILE = join(import.meta.dir, '../../dist/client.tgz')
const NOT_BUILT = 'This was not built when the service was installed. To build it, run: npm ci'

export type PageName = 'console' | 'reference'

/** One page's code, style and icon for browsers. */
export interface Bundle {
  readonly script: string
  readonly style: string
  readonly icon: string
}

export async function pageBundle(page: PageName): Promise<Bundle> {
  if (!(await Bun.file(PAGES_FILE).exists())) throw new ApiError('route_not_found', NOT_BUILT)
  const bundles: Readonly<Record<PageName, Bundle>> = await Bun.file(PAGES_FILE).json()
  return bundles[page]
}

/** Whether the client could be built when the service was installed: it needs a compiler. */
export const hasClient = (): Promise<boolean> => Bun.file(CLIENT_FILE).exists()

/** This release's client, for `npm install <url>`. */
export async function clientPackage(): Promise<Uint8Array> {
  if (!(await hasClient())) throw new ApiError('route_not_found', NOT_BUILT)
  return Bun.file(CLIENT_FILE).bytes()
}
