interface CsvRow {
  /** The line on which it begins: a quoted field may hold line breaks. */
  readonly line: number
  readonly fields: readonly string[]
  readonly problem?: string
}

const FIELD = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y

/** RFC 4180. A row that breaks its rules is reported, and reading continues with the next line. */
export function splitCsv(text: string): CsvRow[] {
  const rows: CsvRow[] = []
  let line = 1
  let at = 0
  while (at < text.length) {
    const begun = line
    const fields: string[] = []
    let problem: string | undefined
    for (;;) {
      FIELD.lastIndex = at
      const match = FIELD.exec(text)
      if (match === null) {
        const end = text.indexOf('\n', at)
        at = end < 0 ? text.length : end + 1
        line++
        problem = 'A quotation mark is misplaced or not closed.'
        break
      }
      const [whole, quoted, plain = '', separator] = match
      at += whole.length
      line += whole.split('\n').length - 1
      fields.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
      if (separator !== ',') break
    }
    const isBlank = fields.length === 1 && fields[0] === '' && problem === undefined
    if (!isBlank) rows.push({ line: begun, fields, ...(problem && { problem }) })
  }
  return rows
}
