import type pg from 'pg'
import type { MigrationFile } from './migrate.files.ts'
import { splitStatements, type MigrationStatement } from './migrate.statements.ts'

const header = /^-- concurrent\n/

/** Whether the statements of a file run each on its own, while calls run. */
export const isConcurrent = ({ sql }: MigrationFile): boolean => header.test(sql)

const name = String.raw`"?(\w+)"?`
const createIndex = new RegExp(
  `^create\\s+(?:unique\\s+)?index\\s+concurrently\\s+if\\s+not\\s+exists\\s+${name}\\s+on\\s`,
  'i',
)
/** A `do` block that commits its own transactions. Each of them holds locks for a short time. */
const block = /^do\s/i
/** Statements that block no call for long, and that can be repeated after a kill. */
const repeatable = [
  createIndex,
  block,
  /^create\s+or\s+replace\s+(?:function|view)\s/i,
  new RegExp(`^drop\\s+index\\s+concurrently\\s+if\\s+exists\\s+${name}$`, 'i'),
  new RegExp(`^alter\\s+table\\s+${name}\\s+validate\\s+constraint\\s+${name}$`, 'i'),
  new RegExp(`^analyze\\s+${name}$`, 'i'),
]

/** Whether a statement is a `do` block. Calls wait behind a block that waits for a lock. */
export const isBlock = ({ text }: MigrationStatement): boolean => block.test(text)

/**
 * Runs the statements of a concurrent file. An index that a killed run left invalid is dropped first. If a statement is
 * not allowed, throws an Error that names the remedy, before the first statement runs.
 */
export async function runConcurrently(
  client: pg.Client,
  file: MigrationFile,
  run: (statement: MigrationStatement) => Promise<void>,
): Promise<void> {
  const statements = splitStatements(file.sql)
  const refusedStatement = statements.find(({ text }) => !repeatable.some((pattern) => pattern.test(text)))
  if (refusedStatement !== undefined)
    throw new Error(
      `Migration ${file.name}, line ${refusedStatement.line}: a concurrent migration may contain only create index concurrently if not exists, ` +
        `drop index concurrently if exists, alter table validate constraint, analyze, create or replace function, create or ` +
        `replace view, and do. ` +
        `Put other statements into a migration without the header`,
    )
  for (const statement of statements) {
    const [, index] = createIndex.exec(statement.text) ?? []
    if (index !== undefined && (await isInvalidIndex(client, index)))
      await run({ ...statement, text: `drop index concurrently if exists "${index}"` })
    await run(statement)
  }
}

async function isInvalidIndex(client: pg.Client, index: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from pg_index i join pg_class c on c.oid = i.indexrelid
     where c.relname = $1 and c.relnamespace = current_schema()::regnamespace and not i.indisvalid`,
    [index],
  )
  return rowCount === 1
}
