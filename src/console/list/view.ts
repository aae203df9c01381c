import { useCallback, useMemo, useRef, useState } from 'preact/hooks'
import { PET_STATUSES } from '../../../client/src/index.ts'
import { context, useWindowEvents } from '../parts/hooks.ts'
import { type Selection, SORTS, type Sort } from '../pets/select.ts'

const SHEETS = ['add', 'import', 'export', 'help', 'categories'] as const
export const ROWS = [25, 50, 100] as const
const USUAL_ROWS = 50

/** The sheet above the list, by its name, or an animal by its ID. */
type OpenSheet = (typeof SHEETS)[number] | { readonly animal: string } | undefined

/** The view that the URL of the page describes. */
export interface View extends Selection {
  readonly sort: Sort
  /** How many a page has. */
  readonly rows: number
  /** 1 is the first page. */
  readonly page: number
  readonly sheet: OpenSheet
}

/** Ignores anything it cannot parse, because people type URLs too. */
export function viewOf(search: string, hash: string): View {
  const query = new URLSearchParams(search)
  const page = query.get('page') ?? ''
  const category = query.get('category') ?? ''
  const sort = query.get('sort') ?? (query.get('order') === 'oldest' ? 'id' : undefined)
  return {
    status: PET_STATUSES.find(known => known === query.get('status')),
    category: isCategory(category) ? category : undefined,
    query: query.get('q')?.trim() ?? '',
    sort: SORTS.find(known => known === sort),
    rows: ROWS.find(known => String(known) === query.get('rows')) ?? USUAL_ROWS,
    page: /^[1-9]\d{0,6}$/.test(page) ? Number(page) : 1,
    sheet: sheetOf(hash.slice(1)),
  }
}

const isCategory = (text: string): boolean =>
  /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)).toString() === text

function sheetOf(hash: string): OpenSheet {
  const [, animal] = /^animal=(\d{1,19})$/.exec(hash) ?? []
  return animal === undefined ? SHEETS.find(name => name === hash) : { animal }
}

/** The URL of a view, relative to the page. */
export function addressOf({ status, category, query, sort, rows, page, sheet }: View): string {
  const search = new URLSearchParams({
    ...(status && { status }),
    ...(category && { category }),
    ...(query && { q: query }),
    ...(sort && { sort }),
    ...(rows !== USUAL_ROWS && { rows: String(rows) }),
    ...(page > 1 && { page: String(page) }),
  })
  const hash = typeof sheet === 'object' ? `animal=${sheet.animal}` : sheet
  return `./${`${search}` && `?${search}`}${hash ? `#${hash}` : ''}`
}

export const capital = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`

/** A short description of a view. */
export function titleOf({ status, category, query, sheet }: View): string {
  if (typeof sheet === 'object') return `Animal ${sheet.animal}`
  if (sheet) return sheet === 'add' ? 'Add an animal' : capital(sheet)
  if (query) return `Find “${query}”`
  const animals = status ? `${capital(status)} animals` : 'Animals'
  return category ? `${animals} in category ${category}` : animals
}

interface Navigation {
  readonly view: View
  /** Changes what the list shows. A different selection starts on its first page. */
  readonly go: (change: Partial<View>, isReplacing?: boolean) => void
  readonly open: (sheet: OpenSheet) => void
  readonly close: () => void
  /** Keeps a search that was typed but not started, so that a step elsewhere does not lose it. */
  readonly type: (query: string | undefined) => void
}

export const [NavigationProvider, useNavigation] = context<Navigation>('The navigation')

/** Whether a sheet was opened from the list, so that going back closes it. */
const isOpenedHere = (): boolean => Object(history.state).isOpenedHere === true

const currentView = (): View => viewOf(location.search, location.hash)

/** The view in the URL. Back, forward, a reload and a link all lead to the same view. */
export function useView(): Navigation {
  const [view, setView] = useState(currentView)
  // True from closing a sheet until the URL has changed, because a second step back would leave the console.
  const isLeaving = useRef(false)
  const typed = useRef<string>(undefined)
  useWindowEvents(['popstate'], () => {
    isLeaving.current = false
    setView(currentView())
  })

  const go = useCallback((change: Partial<View>, isReplacing = false) => {
    const search = typed.current === undefined ? {} : { query: typed.current }
    typed.current = undefined
    const address = addressOf({ ...currentView(), page: 1, sheet: undefined, ...search, ...change })
    if (isReplacing) history.replaceState(history.state, '', address)
    else history.pushState({}, '', address)
    setView(currentView())
  }, [])

  const open = useCallback((sheet: OpenSheet) => {
    if (typed.current !== undefined) go({}, currentView().query !== '')
    const now = currentView()
    const address = addressOf({ ...now, sheet })
    if (now.sheet === undefined) history.pushState({ isOpenedHere: true }, '', address)
    else history.replaceState(history.state, '', address)
    setView(currentView())
  }, [])

  const close = useCallback(() => {
    const now = currentView()
    if (isLeaving.current || now.sheet === undefined) return
    const list = { ...now, sheet: undefined }
    if (isOpenedHere()) {
      isLeaving.current = true
      history.back()
    } else history.replaceState({}, '', addressOf(list))
    setView(list)
  }, [])

  const type = useCallback((query: string | undefined) => {
    typed.current = query
  }, [])

  return useMemo(() => ({ view, go, open, close, type }), [view])
}
