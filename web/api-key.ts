const LONGEST = 4096
const AROUND_KEY = /^(?:authorization\s*:|bearer\s|["'`“”‘’\s])+|["'`“”‘’,;\s]+$/gi

/** Extracts the key from pasted text, because people also copy headers, quotation marks and spaces. Longer text is not a key. */
export const keyIn = (pasted: string): string => pasted.slice(0, LONGEST).replace(AROUND_KEY, '')

/** Whether it can be sent. A header accepts only visible ASCII characters. */
export const couldBeKey = (text: string): boolean => /^[!-~]+$/.test(text)

/** Enough of a key to recognise it, and no more. Shows nothing of a key without our prefix. */
export const visibleHint = (key: string): string =>
  /^pets_(?:live|test)_.{4}/.exec(key)?.[0].concat('…') ?? ''

/** 16 bits, enough to distinguish two keys but useless for finding one. */
export function keyFingerprint(apiKey: string): string {
  let hash = 0
  for (const character of apiKey) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) & 0xffff
  return hash.toString(16)
}
