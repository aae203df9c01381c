/** Characters that take no place, turn the text around or break the line: a name may hold them, a row must bear them. */
const UNSEEN = /([\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\u2800\u3164\u115f\u1160])\1*/gu
/** Between letters of many scripts, and in emoji, joiners are part of the text. */
const JOINER = /\u200c|\u200d|[\u{e0020}-\u{e007f}]/u
const SEEN = /[^\p{C}\s]/u

/** A name as it can be read: what cannot be seen is shown by its code, once for as many as follow each other. */
export const Name = ({ name }: { name: string }) => (
  <bdi class="name-text" dir="auto">
    {partsOf(name)}
  </bdi>
)

function partsOf(name: string) {
  const parts: (string | ReturnType<typeof mark>)[] = []
  let end = 0
  for (const { 0: run, 1: character = '', index } of name.matchAll(UNSEEN)) {
    if (run === character && JOINER.test(character) && SEEN.test(name)) continue
    parts.push(name.slice(end, index), mark(character, run.length / character.length))
    end = index + run.length
  }
  return [...parts, name.slice(end)]
}

const mark = (character: string, times: number) => (
  <span class="unseen" title="A character that cannot be seen">
    {character === '\n' ? '↵' : codeOf(character)}
    {times > 1 && `×${times}`}
  </span>
)

const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
