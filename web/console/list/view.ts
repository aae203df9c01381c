import { useRef, useState } from 'preact/hooks'
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
  readonly rows: number
  readonly page: number
  readonly sheet: OpenSheet
}

/** Without filters. */
export const ALL = { status: undefined, category: undefined, query: '' } as const

/** Ignores anything it cannot parse, because people type URLs too. */
export function viewOf(search: string, hash: string): View {
  const query = new URLSearchParams(search)
  const page = query.get('page') ?? ''
  const category = query.get('category') ?? ''
  return {
    status: PET_STATUSES.find(known => known === query.get('status')),
    category: isCategory(category) ? category : undefined,
    query: query.get('q')?.trim() ?? '',
    sort: SORTS.find(known => known === query.get('sort')),
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

export function titleOf({ status, category, query, sheet }: View): string {
  if (typeof sheet === 'object') return `Animal ${sheet.animal}`
  if (sheet) return sheet === 'add' ? 'Add an animal' : capital(sheet)
  if (query) return `Find “${query}”`
  const animals = status ? `${capital(status)} animals` : 'Animals'
  return category ? `${animals} in category ${category}` : animals
}

/** Another view of the list, without a sheet. It begins on the first page, because the present page has other animals there. */
export const changed = (view: View, change: Partial<View>): View => ({
  ...view,
  page: 1,
  sheet: undefined,
  ...change,
})

/** Whether a sheet was opened from the list, so that going back closes it. */
const isOpenedHere = (): boolean => Object(history.state).isOpenedHere === true

const currentView = (): View => viewOf(location.search, location.hash)

/** The view in the URL. Back, forward, a reload and a link all lead to the same view. */
export function useView() {
  const [view, setView] = useState(currentView)
  // True from closing a sheet until the URL has changed, because a second step back would leave the console.
  const isLeaving = useRef(false)
  /** A search that was typed but not started. A step elsewhere takes it along. */
  const typed = useRef<string>(undefined)
  useWindowEvents(['popstate'], () => {
    isLeaving.current = false
    const next = currentView()
    // A closed sheet is known to be closed before this event, and more may have been typed since.
    setView(now => (addressOf(now) === addressOf(next) ? now : next))
  })

  const show = (next: View, isReplacing: boolean, state = {}) => {
    if (isReplacing) history.replaceState(history.state, '', addressOf(next))
    else history.pushState(state, '', addressOf(next))
    setView(currentView())
  }

  /** Changes what the list shows. */
  const go = (change: Partial<View>, isReplacing = false) => {
    const now = currentView()
    show(changed(now, { query: typed.current ?? now.query, ...change }), isReplacing)
    typed.current = undefined
  }

  const open = (sheet: OpenSheet) => {
    if (typed.current !== undefined) go({}, currentView().query !== '')
    const now = currentView()
    show({ ...now, sheet }, now.sheet !== undefined, { isOpenedHere: true })
  }

  const close = () => {
    const now = currentView()
    if (isLeaving.current || now.sheet === undefined) return
    const list = { ...now, sheet: undefined }
    if (!isOpenedHere()) return show(list, true)
    isLeaving.current = true
    history.back()
    setView(list)
  }

  return { view, go, open, close, typed }
}

export const [NavigationProvider, useNavigation] = context<ReturnType<typeof useView>>('The navigation')
