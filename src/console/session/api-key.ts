const LONGEST = 4096

/** The key in what was pasted: people copy headers, quotation marks and blanks along with it. What is longer is something else. */
export const keyIn = (pasted: string): string =>
  pasted
    .slice(0, LONGEST)
    .trim()
    .replace(/^authorization\s*:\s*/i, '')
    .replace(/^["'`“”‘’]+|["'`“”‘’,;]+$/g, '')
    .replace(/^bearer\s+/i, '')
    .replace(/^["'`“”‘’]+|["'`“”‘’,;]+$/g, '')
    .trim()

/** Whether it can be sent: a header accepts only visible ASCII characters. */
export const couldBeKey = (text: string): boolean => /^[!-~]+$/.test(text)

/** Enough of a key to tell which one it is, and no more. A key without our prefix shows nothing of itself. */
export const visibleHint = (key: string): string =>
  /^pets_(?:live|test)_.{4}/.exec(key)?.[0].concat('…') ?? ''

/** 16 bits: enough to tell two keys apart, and of no use to find one. */
export function keyFingerprint(apiKey: string): string {
  let hash = 0
  for (const character of apiKey) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) & 0xffff
  return hash.toString(16)
}
