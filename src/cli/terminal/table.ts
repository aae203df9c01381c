/** Columns as wide as their widest cell. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...lines.map(line => Bun.stringWidth(line[column] ?? ''))))
  const pad = (cell: string, column: number) =>
    cell + ' '.repeat((widths[column] ?? 0) - Bun.stringWidth(cell))
  return lines.map(line => `${line.map(pad).join('  ').trimEnd()}\n`).join('')
}
