import { escapeHtml } from '../markup.ts'

export type Language = 'curl' | 'typescript' | 'python' | 'go'

const WORDS: Readonly<Record<Language, string>> = {
  curl: 'curl|while|do|done|for|in|case|esac|echo|rm',
  typescript: 'import|from|const|new|await|for|of|try|catch|if|throw|instanceof',
  python: 'import|with|as|for|in|while|try|except|and|print',
  go: 'package|import|func|var|struct|if|for|defer|break|nil|range',
}

/** Comments, texts, words of the language: enough colour to find one's way. */
export function highlighted(language: Language, code: string): string {
  const comment = language === 'typescript' || language === 'go' ? '(?<!:)//[^\\n]*' : '(?<=^|\\s)#[^\\n]*'
  const string = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`/.source
  const token = new RegExp(`(${comment})|(${string})|\\b(${WORDS[language]})\\b`, 'gm')
  let markup = ''
  let end = 0
  for (const found of code.matchAll(token)) {
    const kind = found[1] ? 'comment' : found[2] ? 'text' : 'word'
    markup += `${escapeHtml(code.slice(end, found.index))}<span class="t-${kind}">${escapeHtml(found[0])}</span>`
    end = found.index + found[0].length
  }
  return markup + escapeHtml(code.slice(end))
}
