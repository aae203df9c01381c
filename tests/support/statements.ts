import { Database } from 'bun:sqlite'
import { spyOn } from 'bun:test'

export function runIn(path: string, sql: string, values: string[] = []): void {
  using database = new Database(path)
  database.run(sql, values)
}

/** Does something once beside the next statement that begins like this, as another process could between two steps. */
export function atStatement(
  beginning: string,
  { before, after }: { readonly before?: () => void; readonly after?: () => void },
): Disposable {
  const { run } = Database.prototype
  let isDone = false
  const spy = spyOn(Database.prototype, 'run').mockImplementation(function (this: Database, sql, ...values) {
    const isHere = !isDone && sql.startsWith(beginning)
    isDone ||= isHere
    if (isHere) before?.()
    const changes = run.call(this, sql, ...values)
    if (isHere) after?.()
    return changes
  })
  return { [Symbol.dispose]: () => spy.mockRestore() }
}
