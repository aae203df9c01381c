import { join } from 'node:path'

export const ROOT = join(import.meta.dir, '../..')

/** One step that the reader of a page takes. HTML comments contain the steps that the page assumes. */
export interface Step {
  readonly kind: 'run' | 'background' | 'stop' | 'not-run'
  readonly script: string
}

const FENCE = /^( *)```(\w*) ?([^\n]*)\n([\s\S]*?)^ *```$/
const COMMENT = /^<!-- (run|background|stop)(?:: (.*?))? -->$/
const EITHER = new RegExp(`${FENCE.source}|${COMMENT.source}`, 'gm')

/** The shell blocks of a page: ```sh is run, ```sh background keeps running, ```sh not-run: why is only parsed. */
export function stepsOf(markdown: string): Step[] {
  return [...markdown.matchAll(EITHER)].flatMap(
    ([, indent = '', language, note = '', code = '', word, hidden]) => {
      if (word !== undefined) return [{ kind: word as Step['kind'], script: hidden ?? '' }]
      if (language !== 'sh') return []
      const script = code.replaceAll(new RegExp(`^${indent}`, 'gm'), '')
      return [{ kind: kindOf(note), script }]
    },
  )
}

function kindOf(note: string): Step['kind'] {
  if (note === '') return 'run'
  if (note === 'background') return 'background'
  if (/^not-run: \S/.test(note)) return 'not-run'
  throw new Error(`A shell block is marked "${note}"; it must be plain, background, or not-run: why.`)
}

export const pages = (): string[] => [...new Bun.Glob('docs/**/*.md').scanSync(ROOT)].toSorted()

export const read = (page: string): Promise<string> => Bun.file(join(ROOT, page)).text()
