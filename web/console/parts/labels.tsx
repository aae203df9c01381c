import type { Pet } from '../../../client/src/index.ts'
import { useCategoryName } from '../session/session.ts'

/** A disc for available, a half disc for pending, a ring with a tick for sold. */
const INSIDE: Readonly<Record<string, string>> = {
  pending: 'M7 2.5a4.5 4.5 0 0 1 0 9z',
  sold: 'm4.9 7.1 1.5 1.5 2.8-3',
}

export const StatusGlyph = ({ status }: Pick<Pet, 'status'>) => (
  <svg class={`glyph ${status}`} viewBox="0 0 14 14" aria-hidden="true">
    <circle cx="7" cy="7" r="4.5" />
    {INSIDE[status] && <path d={INSIDE[status]} />}
  </svg>
)

/** Shape and word, because colour is not enough for everyone. */
export const Status = ({ status }: Pick<Pet, 'status'>) => (
  <span class={`status ${status}`}>
    <StatusGlyph status={status} />
    {status}
  </span>
)

/** The name that it has in this browser, and its number, which counts. */
export function Category({ id }: { id: string }) {
  const name = useCategoryName(id)
  const number = <span class={name ? 'small dim' : 'category-only'}>{id}</span>
  return name ? [name, ' ', number] : number
}

/** Characters that are invisible, reverse the text or break the line. A name may contain them, so a row must cope with them. */
const UNSEEN = /([\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\u2800\u3164\u115f\u1160])\1*/gu
/** Between letters of many scripts, and in emoji, joiners are part of the text. */
const JOINER = /\u200c|\u200d|[\u{e0020}-\u{e007f}]/u
const SEEN = /[^\p{C}\s]/u

/** A readable name. An invisible character is shown by its code, and a run of it only once. */
export const Name = ({ name }: { name: string }) => (
  <bdi class="name-text" dir="auto">
    {partsOf(name)}
  </bdi>
)

function partsOf(name: string) {
  const parts: (string | ReturnType<typeof unseen>)[] = []
  let end = 0
  for (const { 0: run, 1: character = '', index } of name.matchAll(UNSEEN)) {
    if (run === character && JOINER.test(character) && SEEN.test(name)) continue
    parts.push(name.slice(end, index), unseen(character, run.length / character.length))
    end = index + run.length
  }
  return [...parts, name.slice(end)]
}

/** Line breaks and tabs are in ordinary files. */
const SIGNS: Readonly<Record<string, string>> = { '\n': '↵', '\t': '⇥' }

const unseen = (character: string, times: number) => (
  <span class="unseen" title="A character that cannot be seen">
    {SIGNS[character] ?? codeOf(character)}
    {times > 1 && `×${times}`}
  </span>
)

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
