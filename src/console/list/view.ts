import type { PetStatus } from '../../../client/src/index.ts'
import { LIMIT_DEFAULT, LIMIT_MAX } from '../../contract/limits.ts'

const SHEETS = ['add', 'import', 'export', 'help'] as const

/** What lies above the list: a sheet by its name, or an animal by its ID. */
export type OpenSheet = (typeof SHEETS)[number] | { readonly animal: string } | undefined

/** What the URL of the page says to show. */
export interface View {
  readonly status: PetStatus | undefined
  readonly query: string
  readonly order: 'newest' | 'oldest'
  readonly limit: number
  /** 1 is the first. */
  readonly page: number
  readonly sheet: OpenSheet
}

/** Whatever cannot be understood is as if it were not there: an address is typed by people too. */
export function viewOf(search: string, hash: string, statuses: readonly PetStatus[]): View {
  const query = new URLSearchParams(search)
  const positive = (name: string): number | undefined => {
    const text = query.get(name) ?? ''
    return /^[1-9]\d{0,6}$/.test(text) ? Number(text) : undefined
  }
  const limit = positive('limit') ?? LIMIT_DEFAULT
  return {
    status: statuses.find(known => known === query.get('status')),
    query: query.get('q')?.trim() ?? '',
    order: query.get('order') === 'oldest' ? 'oldest' : 'newest',
    limit: limit <= LIMIT_MAX ? limit : LIMIT_DEFAULT,
    page: positive('page') ?? 1,
    sheet: sheetOf(hash.slice(1)),
  }
}

function sheetOf(hash: string): OpenSheet {
  const [, animal] = /^animal=(\d{1,19})$/.exec(hash) ?? []
  return animal === undefined ? SHEETS.find(name => name === hash) : { animal }
}

/** The address of a view, relative to the page. */
export function addressOf({ status, query, order, limit, page, sheet }: View): string {
  const search = new URLSearchParams({
    ...(status && { status }),
    ...(query && { q: query }),
    ...(order === 'oldest' && { order }),
    ...(limit !== LIMIT_DEFAULT && { limit: String(limit) }),
    ...(page > 1 && { page: String(page) }),
  })
  const hash = typeof sheet === 'object' ? `animal=${sheet.animal}` : sheet
  return `./${`${search}` && `?${search}`}${hash ? `#${hash}` : ''}`
}

const TITLES = { add: 'Add an animal', import: 'Import', export: 'Export', help: 'Help' } as const

/** What a view shows, in a few words. */
export function titleOf({ status, query, sheet }: View): string {
  if (typeof sheet === 'object') return `Animal ${sheet.animal}`
  if (sheet) return TITLES[sheet]
  if (query) return `Find “${query}”`
  return status ? `${status.charAt(0).toUpperCase()}${status.slice(1)} animals` : 'Animals'
}
