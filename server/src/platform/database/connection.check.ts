import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { getBackendPid } from './pool.wire.ts'
import { lockGroups } from './lock-keys.ts'

/** An error of a connection that must not be used. Its message names the remedy. Calls answer 503. */
export class UnsuitableConnectionError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UnsuitableConnectionError'
  }
}

export type SessionSettings = Readonly<Record<string, string>>

const poolerInTransactionMode =
  'the address leads to a connection pooler in transaction mode, where the time zone, locks and prepared statements ' +
  'of a session are lost. Set KARVON_DATABASE_DIRECT_URL to the address of PostgreSQL itself, or set ' +
  'pool_mode = session in the pooler'

/**
 * Sets the settings of a session and takes a lock. A second statement reads both back, because behind a pooler in
 * transaction mode it may run in another session. Errors: UnsuitableConnectionError, and those of the database.
 */
export async function openSession(
  client: pg.Client,
  settings: SessionSettings,
  timeout: number | undefined,
): Promise<void> {
  const key = randomInt(2 ** 31)
  const names = Object.keys(settings).map((name) => pg.escapeLiteral(name))
  const run = async (columns: string[]) => {
    const query = { text: `select ${columns.join(', ')}`, query_timeout: timeout, rowMode: 'array' as const }
    return JSON.stringify((await client.query(query)).rows)
  }
  const writtenRows = await run([
    ...Object.entries(settings).map(([name, value]) => formatSetting(name, value, false)),
    `pg_try_advisory_lock(${lockGroups.sessions}, ${key})`,
  ])
  const readRows = await run([
    ...names.map((name) => `current_setting(${name})`),
    `pg_advisory_unlock(${lockGroups.sessions}, ${key})`,
  ])
  if (readRows !== writtenRows) throw new UnsuitableConnectionError(poolerInTransactionMode)
}

/** An SQL call that sets a setting for the session, or for the transaction, and returns its value. */
export const formatSetting = (name: string, value: string, isLocal: boolean): string =>
  `set_config(${pg.escapeLiteral(name)}, ${pg.escapeLiteral(value)}, ${isLocal})`

// Without other traffic the first probe detects transaction mode. With traffic each probe probably does, because
// another client takes the session during the pause.
const poolerProbes = { count: 20, pause: 5 }

/** Throws an Error that names the remedy if statements of one client may run in several sessions of the server. */
export async function checkSessions(client: pg.Client, openOther: () => Promise<pg.Client>): Promise<void> {
  const pid = await readBackendPid(client)
  // Without a pooler the pid of the handshake is the pid of the backend.
  if (pid === getBackendPid(client)) return
  const otherClient = await openOther()
  try {
    // In transaction mode this transaction takes the session that the client used last.
    await otherClient.query('begin')
    let isShared = (await readBackendPid(otherClient)) === pid
    for (let probe = 0; probe < poolerProbes.count && !isShared; probe += 1) {
      await sleep(poolerProbes.pause)
      isShared = (await readBackendPid(client)) !== pid
    }
    if (isShared) throw new UnsuitableConnectionError(poolerInTransactionMode)
  } finally {
    await otherClient.end()
  }
}

async function readBackendPid(client: pg.Client): Promise<number | undefined> {
  return (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid
}
