import type pg from 'pg'

/** Commits wait at least for this server's disk. The operator decides which standbys they wait for as well. */
const RAISED = `CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END`

/** Absent settings belong to other engines. */
export const settingWherePresent = (name: string, value: string, holds: Scope): string =>
  `CASE WHEN current_setting('${name}', true) IS NOT NULL THEN
     set_config('${name}', ${value}, ${holds === 'transaction'}) END`

export const durableCommits = (holds: Scope): string =>
  settingWherePresent('synchronous_commit', RAISED, holds)

/** How long a setting lasts. Behind a pooler the session is not ours, so only a transaction is possible. */
export type Scope = 'session' | 'transaction'

/** A transaction with durable commits and no time-outs, regardless of session settings and defaults. */
export const BEGIN = `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 0; SELECT ${durableCommits('transaction')}`

export interface Statement {
  readonly text: string
  readonly values?: readonly unknown[]
}

/**
 * Runs one transaction in one round trip on a pipelining connection: everything is sent before the first answer
 * arrives. If a statement fails, COMMIT rolls the transaction back. If BEGIN fails, the statement may have committed on
 * its own, so the outcome is unknown. Returns the results of BEGIN and of the statement.
 */
export async function inOneTrip(
  client: pg.ClientBase,
  begin: string,
  statement: Statement | undefined,
  withinMs: number,
): Promise<[begun: pg.QueryResult[], answer: pg.QueryResult | undefined]> {
  const texts = [{ text: begin }, ...(statement ? [statement] : []), { text: 'COMMIT' }]
  const sent = texts.map(({ text, values = [] }: Statement): Promise<pg.QueryResult> => {
    const question = { text, values: [...values], query_timeout: withinMs }
    return client.query(question)
  })
  const settled = await Promise.allSettled(sent)
  const [begun, ...rest] = settled
  if (begun?.status === 'rejected' && rest[0]?.status === 'fulfilled')
    throw new Error('The statement ran outside of its transaction.', { cause: begun.reason })
  const results = settled.map(outcome => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  })
  // The driver returns one result per statement, which its types do not declare.
  return [results[0] as unknown as pg.QueryResult[], statement && results[1]]
}
