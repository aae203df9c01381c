const GAP = 2
const ENOUGH = 8

/** Columns as wide as their widest cell; if they do not fit the terminal, the widest column is shortened. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  terminalWidth = Number.POSITIVE_INFINITY,
): string {
  const lines = [head, ...rows]
  const widths = head.map((_, column) =>
    lines.reduce((widest, line) => Math.max(widest, Bun.stringWidth(line[column] ?? '')), 0),
  )
  const widest = widths.indexOf(Math.max(...widths))
  const others = widths.reduce((sum, width, column) => sum + (column === widest ? 0 : width + GAP), 0)
  widths[widest] = Math.min(widths[widest] ?? 0, Math.max(terminalWidth - others, ENOUGH))
  const pad = (cell: string, column: number) => {
    const width = widths[column] ?? 0
    const text = cut(cell, width)
    return text + ' '.repeat(width - Bun.stringWidth(text))
  }
  return lines.map(line => `${line.map(pad).join(' '.repeat(GAP)).trimEnd()}\n`).join('')
}

/** As much of a text as fits, with an ellipsis if it was shortened. */
function cut(text: string, width: number): string {
  if (Bun.stringWidth(text) <= width) return text
  let kept = ''
  let room = width - 1
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    room -= Bun.stringWidth(segment)
    if (room < 0) break
    kept += segment
  }
  return `${kept}…`
}
