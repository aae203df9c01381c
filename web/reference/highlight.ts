import { escapeHtml, Markup } from '../markup.ts'

/** The classes of coloured tokens: key or keyword, string, number or variable, flag, and comment. */
type Token = 'k' | 's' | 'n' | 'f' | 'm'

const DOUBLE = String.raw`"(?:\\.|[^"\\])*"`
const SINGLE = String.raw`'(?:\\.|[^'\\])*'`
const NUMBER = String.raw`(?<![\w.])-?\d+(?:\.\d+)?\b`
const words = (list: string): string => String.raw`\b(?:${list.replaceAll(' ', '|')})\b`

/** For each language, its tokens as patterns. The first that matches wins. */
const GRAMMARS = {
  json: { k: `${DOUBLE}(?=:)`, s: DOUBLE, n: `${NUMBER}|${words('true false null')}` },
  curl: {
    m: '(?<=^|\\s)#.*',
    s: `${DOUBLE}|'[^']*'`,
    f: String.raw`(?<=\s)-{1,2}[A-Za-z][\w-]*`,
    k: String.raw`(?<![\w/])(?:while|for|in|do|done|case|esac)(?!\w)`,
    n: String.raw`\$\w+|\$\$|(?<=\s)\d+(?=[\s;])`,
  },
  typescript: {
    m: '//.*',
    s: `${SINGLE}|${DOUBLE}`,
    k: words('import from const new await for of if try catch throw instanceof'),
    n: NUMBER,
  },
  python: {
    m: '#.*',
    s: `${DOUBLE}|${SINGLE}`,
    k: words('import from with as for in while and try except'),
    n: NUMBER,
  },
  go: {
    m: '//.*',
    s: `${DOUBLE}|\`[^\`]*\``,
    k: words('package import const var type struct func for range if defer map nil any int64 string error'),
    n: NUMBER,
  },
} as const satisfies Record<string, Partial<Record<Token, string>>>

type Grammar = keyof typeof GRAMMARS

const PATTERNS = new Map(
  Object.entries(GRAMMARS).map(([name, tokens]) => {
    const groups = Object.entries(tokens).map(([token, pattern]) => `(?<${token}>${pattern})`)
    return [name, new RegExp(groups.join('|'), 'gm')]
  }),
)

/** Code as markup, coloured here so that the page needs neither a script nor a library for it. */
export function highlighted(code: string, grammar: Grammar): Markup {
  let markup = ''
  let end = 0
  for (const { 0: text, index, groups = {} } of code.matchAll(PATTERNS.get(grammar) ?? /$^/g)) {
    const token = Object.keys(groups).find(name => groups[name] !== undefined)
    markup += `${escapeHtml(code.slice(end, index))}<span class="${token}">${escapeHtml(text)}</span>`
    end = index + text.length
  }
  return new Markup(markup + escapeHtml(code.slice(end)))
}
