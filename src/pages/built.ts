import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Observe } from '../observability/events.ts'
import { plainReason } from '../operator-error.ts'

/** Files that `npm ci` and `npm run build` build (scripts/build). The executable contains their contents in place of this file. */

export const PAGES_FILE = join(import.meta.dir, '../../dist/pages.json')
export const CLIENT_FILE = join(import.meta.dir, '../../dist/client.tgz')

export type PageName = 'console' | 'reference'

/** The pages, with placeholders for what only a running service knows. */
export interface BuiltPages {
  readonly documents: Readonly<Record<PageName, string>>
  readonly assets: readonly BuiltAsset[]
}

/** A script, style sheet or image. Its name contains its hash, so it can be cached forever. */
export interface BuiltAsset {
  readonly name: string
  readonly type: string
  /** Its contents, compressed, in base64. */
  readonly gzip: string
}

export interface Built {
  readonly pages?: BuiltPages | undefined
  /** This release's client, for `npm install <file>`. Building it needs a compiler, which production installs lack. */
  readonly client?: Uint8Array | undefined
}

export const readBuilt = (observe: Observe): Built => ({ pages: readPages(observe), client: readClient() })

function readPages(observe: Observe): BuiltPages | undefined {
  try {
    const { documents, assets }: Partial<BuiltPages> = JSON.parse(readFileSync(PAGES_FILE, 'utf8'))
    if (!documents || !assets) throw new Error(`${PAGES_FILE} was built by another release`)
    return { documents, assets }
  } catch (error) {
    const hint = 'The console and the reference are not served. Build them, then restart: npm run prepare'
    observe({ kind: 'pages-not-built', reason: plainReason(error), hint })
    return undefined
  }
}

function readClient(): Uint8Array | undefined {
  try {
    return readFileSync(CLIENT_FILE)
  } catch {
    return undefined
  }
}
