import type pg from 'pg'

/** Commits wait for this server's disk at least; which standbys to wait for besides is up to the operator. */
const RAISED = `CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END`

/** Absent settings belong to other engines. */
export const settingWherePresent = (name: string, value: string, holds: Scope): string =>
  `CASE WHEN current_setting('${name}', true) IS NOT NULL THEN
     set_config('${name}', ${value}, ${holds === 'transaction'}) END`

export const durableCommits = (holds: Scope): string =>
  settingWherePresent('synchronous_commit', RAISED, holds)

/** For how long a setting holds: a session is our own only where no pooler stands in between. */
export type Scope = 'session' | 'transaction'

/** A transaction that commits durably and may take its time, whatever the session or its defaults say. */
export const BEGIN = `BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL statement_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 0; SELECT ${durableCommits('transaction')}`

export interface Statement {
  readonly text: string
  readonly values?: readonly unknown[]
}

/**
 * One transaction in one round trip, on a connection that pipelines: all of it is on its way before the first answer is back. Where
 * a statement fails, the commit takes the transaction back. Where the beginning fails, the statement may have committed by itself,
 * so that the outcome is unknown. Returns the results of the beginning and of the statement.
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
  // Several statements in one text are answered by several results, which the types do not know.
  return [results[0] as unknown as pg.QueryResult[], statement && results[1]]
}
