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
