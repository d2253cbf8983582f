import { setTimeout as sleep } from 'node:timers/promises'
import { cutText } from '@karvon/contract/lib/cut-text.ts'
import pg from 'pg'
import { isBlock, isConcurrent, runConcurrently } from './migrate.concurrent.ts'
import type { MigrationFile } from './migrate.files.ts'
import { splitStatements, type MigrationStatement } from './migrate.statements.ts'

/** Milliseconds between two attempts, in which the calls that waited behind the first one run. */
const retryPause = 1000
/** About seven minutes with the default lock timeout. */
const maxAttempts = 100
/**
 * Milliseconds. A concurrent index build waits for all older transactions at its end, which blocks no call. The timeout
 * is longer than the longest of them, an export, because a timeout repeats the whole build.
 */
const concurrentLockTimeout = 1_800_000

const lockNotAvailable = '55P03'
const deadlockDetected = '40P01'

interface ApplyOptions {
  /** Milliseconds that a transaction waits for a lock. */
  lockTimeout: number
  log: ((message: string) => void) | undefined
}

/**
 * Applies a file: in one transaction, or each statement on its own if its first line is `-- concurrent`. Calls wait
 * behind a statement that waits for a lock, so a wait that is too long is ended and repeated.
 */
export async function applyMigration(
  client: pg.Client,
  file: MigrationFile,
  { lockTimeout, log }: ApplyOptions,
): Promise<void> {
  const run = isConcurrent(file)
    ? () => applyConcurrently(client, file, lockTimeout)
    : () => applyInTransaction(client, file, lockTimeout)
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run()
    } catch (error) {
      if (!isLockConflict(error)) throw error
      if (attempt === maxAttempts)
        throw new Error(
          `Migration ${file.name} found its table locked in ${maxAttempts} attempts. End the long transactions that ` +
            `pg_stat_activity shows, and start again`,
          { cause: error },
        )
      log?.(`Migration ${file.name} waits for a lock, attempt ${attempt}.`)
      await sleep(retryPause)
    }
  }
}

function isLockConflict(error: unknown): boolean {
  const { cause } = error as { cause?: unknown }
  return cause instanceof pg.DatabaseError && [lockNotAvailable, deadlockDetected].includes(cause.code ?? '')
}

async function applyInTransaction(
  client: pg.Client,
  file: MigrationFile,
  lockTimeout: number,
): Promise<void> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${lockTimeout}`)
    for (const statement of splitStatements(file.sql)) await runStatement(client, file.name, statement)
    await recordMigration(client, file)
    await client.query('commit')
  } catch (error) {
    // On a lost connection there is nothing to roll back. The first error is the one to report.
    await client.query('rollback').catch(() => {})
    throw error
  }
}

async function applyConcurrently(client: pg.Client, file: MigrationFile, lockTimeout: number): Promise<void> {
  try {
    await runConcurrently(client, file, async (statement) => {
      await client.query(`set lock_timeout = ${isBlock(statement) ? lockTimeout : concurrentLockTimeout}`)
      await runStatement(client, file.name, statement)
    })
    await recordMigration(client, file)
  } finally {
    await client.query('reset lock_timeout').catch(() => {})
  }
}

const recordMigration = (client: pg.Client, { name, sha256 }: MigrationFile) =>
  client.query('insert into schema_migrations (name, sha256) values ($1, $2)', [name, sha256])

async function runStatement(client: pg.Client, name: string, statement: MigrationStatement): Promise<void> {
  try {
    await client.query(statement.text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    const line = statement.line + countLinesBefore(statement.text, error)
    throw new Error(`Migration ${name}, line ${line}: ${reason}\n${cutText(statement.text, 300)}`, {
      cause: error,
    })
  }
}

/** Line breaks before the position of the error, which PostgreSQL counts in characters from 1. */
function countLinesBefore(text: string, error: unknown): number {
  const position = error instanceof pg.DatabaseError ? Number(error.position ?? 1) : 1
  return Array.from(text)
    .slice(0, position - 1)
    .filter((character) => character === '\n').length
}
