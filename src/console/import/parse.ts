import type { PetStatus } from '../../../client/src/index.ts'
import { type Draft, type DraftLimits, problemsIn } from '../add/draft.ts'
import { splitCsv } from './split-csv.ts'

export interface ImportLimits extends DraftLimits {
  readonly statuses: readonly PetStatus[]
}

export interface GoodRow {
  /** Its position among the animals of the file, which identifies it. */
  readonly place: number
  readonly line: number
  readonly draft: Draft
}

export interface BadRow {
  readonly line: number
  readonly problem: string
}

export interface Parsed {
  readonly good: readonly GoodRow[]
  readonly bad: readonly BadRow[]
}

interface Found {
  readonly line: number
  readonly fields?: { readonly name: unknown; readonly categoryId: unknown; readonly status: unknown }
  readonly problem?: string
}

/** The animals of a CSV or NDJSON file, and what is wrong with the others, line by line. */
export function parseFile(text: string, limits: ImportLimits): Parsed {
  const content = text.replace(/^\ufeff/, '')
  const found = content.trimStart().startsWith('{') ? ofNdjson(content) : ofCsv(content)
  const good: GoodRow[] = []
  const bad: BadRow[] = []
  for (const [place, { line, fields, problem }] of found.entries()) {
    const draft = fields && draftOf(fields, limits)
    const wrong = problem ?? (typeof draft === 'string' ? draft : undefined)
    if (wrong !== undefined || typeof draft !== 'object')
      bad.push({ line, problem: wrong ?? 'This line is empty.' })
    else good.push({ place, line, draft })
  }
  return { good, bad }
}

function draftOf(fields: NonNullable<Found['fields']>, limits: ImportLimits): Draft | string {
  const status = fields.status === undefined || fields.status === '' ? limits.statuses[0] : fields.status
  const known = limits.statuses.find(one => one === status)
  if (typeof fields.name !== 'string') return 'Name: enter text.'
  const draft = { name: fields.name, category: String(fields.categoryId ?? ''), status: known ?? 'available' }
  const { name, categoryId } = problemsIn(draft, limits)
  const problems = [
    name && `Name: ${name}`,
    categoryId && `Category: ${categoryId}`,
    known === undefined && `Status: use one of ${limits.statuses.join(', ')}.`,
  ].filter(Boolean)
  return problems.length > 0 ? problems.join(' ') : draft
}

function ofCsv(text: string): Found[] {
  const [header, ...rows] = splitCsv(text)
  const columns = header?.fields.map(name => name.trim()) ?? []
  const at = (name: string) => columns.indexOf(name)
  if (at('name') < 0 || at('categoryId') < 0)
    return [{ line: 1, problem: 'The first line must name the columns: name,categoryId,status.' }]
  return rows.map(({ line, fields, problem }) => {
    if (problem) return { line, problem }
    if (fields.length !== columns.length)
      return {
        line,
        problem: `This line has ${fields.length} fields; the first line names ${columns.length}.`,
      }
    const [name, categoryId, status] = [at('name'), at('categoryId'), at('status')].map(
      place => fields[place],
    )
    return { line, fields: { name, categoryId, status } }
  })
}

const ofNdjson = (text: string): Found[] =>
  text.split('\n').flatMap((content, index): Found[] => {
    if (content.trim() === '') return []
    const line = index + 1
    try {
      const { name, categoryId, status } = JSON.parse(content, exactly) as Record<string, unknown>
      if (typeof categoryId === 'string')
        return [{ line, problem: 'Category: enter a number without quotation marks.' }]
      return [{ line, fields: { name, categoryId: (categoryId as Exact | undefined)?.source, status } }]
    } catch {
      return [{ line, problem: 'This line is not JSON.' }]
    }
  })

interface Exact {
  readonly source: string
}

/** Digits as they stand in the file: a number of JavaScript would round those beyond 2^53. */
function exactly(_name: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number') return value
  return { source: Number.isSafeInteger(value) ? String(value) : (context?.source ?? 'not exact') }
}
