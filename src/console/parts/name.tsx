/** Characters that take no place, turn the text around or break the line: a name may hold them, a row must bear them. */
const UNSEEN = /([\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\u2800\u3164\u115f\u1160])/u
/** Between letters of many scripts, and in emoji, joiners are part of the text. */
const JOINER = /\u200c|\u200d|[\u{e0020}-\u{e007f}]/u

/** A name as it can be read: what cannot be seen is shown by its code. */
export const Name = ({ name }: { name: string }) => (
  <bdi class="name-text" dir="auto">
    {UNSEEN.test(name)
      ? name.split(UNSEEN).map((part, index) => (index % 2 ? mark(name, part) : part))
      : name}
  </bdi>
)

const mark = (name: string, character: string) =>
  JOINER.test(character) && /[^\p{C}\s]/u.test(name) ? (
    character
  ) : (
    <span class="unseen" title="A character that cannot be seen">
      {codeOf(character)}
    </span>
  )

const codeOf = (character: string): string =>
  character === '\n'
    ? '↵'
    : `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
