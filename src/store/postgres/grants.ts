import pg from 'pg'
import { OperatorError } from '../../operator-error.ts'

/** The rights that a service needs on its tables. Only their owner can upgrade the schema. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  pets: ['SELECT', 'INSERT'],
  pet_counter: ['SELECT', 'UPDATE'],
  idempotency: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
  api_keys: ['SELECT', 'INSERT', 'UPDATE'],
  deprecated_calls: ['SELECT', 'INSERT', 'UPDATE'],
  meta: ['SELECT'],
  migrations: ['SELECT'],
}

const INSUFFICIENT_PRIVILEGE = '42501'
const NO_SUCH_SCHEMA = '3F000'

const NO_SCHEMA =
  'The schema that DATABASE_URL or the role looks in does not exist, or the role may not use it. ' +
  'Let its owner run: CREATE SCHEMA … AUTHORIZATION …'

/** A sentence naming the table rights that the role lacks; undefined if it has them all. */
export async function missingGrants(client: pg.ClientBase): Promise<string | undefined> {
  const needed = Object.entries(NEEDED).flatMap(([table, rights]) => rights.map(right => [table, right]))
  const { rows } = await client.query<{ table: string; rights: string; role: string }>(
    `SELECT "table", string_agg("right", ', ' ORDER BY place) AS rights, current_user AS role
     FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS needed ("table", "right", place)
     WHERE NOT has_table_privilege(to_regclass("table"), "right") GROUP BY "table" ORDER BY min(place)`,
    [needed.map(([table]) => table), needed.map(([, right]) => right)],
  )
  if (rows.length === 0) return undefined
  const grants = rows.map(
    ({ table, rights, role }) => `GRANT ${rights} ON ${table} TO ${pg.escapeIdentifier(role)}`,
  )
  return `The role lacks rights on the tables. Let their owner run: ${grants.join('; ')}`
}

export async function assertGranted(client: pg.ClientBase): Promise<void> {
  const missing = await missingGrants(client)
  if (missing !== undefined) throw new OperatorError(`${missing}.`)
}

/** A sentence naming what prevents the role from creating the tables, or from upgrading those that exist. */
export async function whyNotMigrate(client: pg.ClientBase): Promise<string | undefined> {
  const { rows } = await client.query<MigrationRights>(
    `SELECT current_schema() AS schema, current_user AS role, has_schema_privilege(current_schema(), 'CREATE') AS creates,
       count(oid)::integer AS tables, min(pg_get_userbyid(relowner)) FILTER (WHERE NOT pg_has_role(relowner, 'USAGE')) AS owner
     FROM pg_class WHERE oid IN (SELECT to_regclass(name) FROM unnest($1::text[]) AS name)`,
    [Object.keys(NEEDED)],
  )
  const { schema, role, creates, tables, owner } = rows[0] as MigrationRights
  if (owner !== null)
    return `The schema must be upgraded, and the tables belong to the role ${pg.escapeIdentifier(owner)}. Run a command of this release, such as keys list, as that role first`
  if (tables > 0) return undefined
  if (schema === null) return NO_SCHEMA
  const grant = `GRANT CREATE ON SCHEMA ${pg.escapeIdentifier(schema)} TO ${pg.escapeIdentifier(role)}`
  return creates
    ? undefined
    : `There are no tables yet, and the role may not create them. Let the owner of the schema run: ${grant}. Or create them as another role, with keys create --create`
}

interface MigrationRights {
  readonly schema: string | null
  readonly role: string
  readonly creates: boolean | null
  readonly tables: number
  /** Of a table that is not the role's. */
  readonly owner: string | null
}

/** Returns the error, or one that says which right or schema is missing; `further` knows what else the work needs. */
export async function explainDenied(
  client: pg.ClientBase,
  error: unknown,
  further: (client: pg.ClientBase) => Promise<string | undefined> = async () => undefined,
): Promise<unknown> {
  if (!(error instanceof pg.DatabaseError)) return error
  if (error.code === NO_SUCH_SCHEMA) return new OperatorError(NO_SCHEMA, { cause: error })
  if (error.code !== INSUFFICIENT_PRIVILEGE) return error
  await client.query('ROLLBACK').catch(() => {})
  const missing = await missingGrants(client)
    .then(sentence => sentence ?? further(client))
    .catch(() => undefined)
  return new OperatorError(`${missing ?? `The role lacks a right: ${error.message}`}.`, { cause: error })
}
