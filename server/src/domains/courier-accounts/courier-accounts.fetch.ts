import { CourierError } from '../../integrations/measoft/measoft.error.ts'
import { openMeasoft, type PostXml } from '../../integrations/measoft/measoft.ts'
import type { Db } from '../../platform/database/pool.ts'
import type { Seal } from '../../platform/security/seal.ts'
import { SyncError, type SyncKind, type SyncRun } from '../syncs/syncs.kind.ts'
import { courierTurn } from './courier-accounts.pace.ts'
import { readCourierOrders, type CourierTold } from './courier-accounts.rows.ts'

export interface CourierParts<State> {
  db: Db
  seal: Seal
  /** How a request leaves the house. */
  post: (signal: AbortSignal) => PostXml
  /** What a code of the courier's is to us. */
  stateOf: (code: string, title: string) => State
  /** Stores events of parcels for good; answers once they are. */
  take: (
    db: Db,
    events: readonly CourierTold<State>[],
  ) => Promise<{ imported: number; updated: number; unchanged: number }>
}

/**
 * Milliseconds between two requests of anybody here: 70 a minute and 1,411 in 20 minutes, of 150 and 1,500 that the
 * vendor allows an address, which it blocks for hours otherwise. Each ONLY_LAST is followed by another request, so
 * there are 2,117 of them an hour at the most, of 3,000 that it allows an account.
 */
const usualPace = 850
/** Batches of one run; what is left comes with the next. */
const maxBatches = 500
const batch = 1000

/**
 * The courier: asks for what changed since the last commit, stores it for good, and only then commits. What
 * was stored but not committed comes once more, which changes nothing.
 */
export function courierSync<State>(
  parts: CourierParts<State>,
  pace = usualPace,
  every = 5 * 60_000,
): SyncKind {
  return {
    column: 'courier_account_id',
    every,
    dailyRequests: 60_000,
    single: true,
    active: async (db) => {
      const rows = await db
        .selectFrom('courier_accounts')
        .innerJoin('users', 'users.id', 'courier_accounts.user_id')
        .select('courier_accounts.id')
        .where('courier_accounts.is_active', '=', true)
        .where('users.is_active', '=', true)
        .execute()
      return rows.map(({ id }) => id)
    },
    run: (account, run) => fetchAccount(parts, pace, account, run),
  }
}

async function fetchAccount<State>(
  parts: CourierParts<State>,
  pace: number,
  id: number,
  run: SyncRun,
): Promise<void> {
  const { db, seal, stateOf, take } = parts
  const row = await db.selectFrom('courier_accounts').selectAll().where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw new SyncError('trouble', 'The account is gone.')
  const post = parts.post(run.signal)
  const courier = openMeasoft(
    { url: row.url, extra: row.extra ?? '', login: row.login, pass: passOf(seal, id, row.pass) },
    async (url, xml) => {
      await run.request()
      await courierTurn(db, pace, run.signal)
      await run.count({ requests: 1 })
      return post(url, xml)
    },
  )
  try {
    const services = await courier.services().catch((error: unknown) => {
      // Names are a nicety; codes stand in for them.
      if (error instanceof CourierError) return new Map<string, string>()
      throw error
    })
    for (let turn = 1; turn <= maxBatches; turn++) {
      await run.phase(turn === 1 ? 'parcels' : `parcels, batch ${turn}`)
      const orders = await courier.changes()
      if (orders.length === 0) return
      const { events, problems } = readCourierOrders(orders, row.user_id, services, stateOf)
      if (problems.length > 0)
        run.log.warn({ problems: problems.slice(0, 20) }, 'Parcels that cannot be read')
      const counts = {
        rows: orders.length,
        created: 0,
        updated: 0,
        unchanged: 0,
        unreadable: problems.length,
      }
      for (let at = 0; at < events.length; at += batch) {
        const taken = await take(db, events.slice(at, at + batch))
        counts.created += taken.imported
        counts.updated += taken.updated
        counts.unchanged += taken.unchanged
      }
      await run.count(counts)
      await courier.commit()
    }
  } catch (error) {
    throw error instanceof CourierError ? new SyncError('trouble', error.message) : error
  }
}

function passOf(seal: Seal, id: number, sealed: string | null): string {
  if (sealed === null) return ''
  try {
    return seal.open(sealed, { table: 'courier_accounts', row: id, column: 'pass' })
  } catch {
    throw new SyncError('sign_in', 'The stored password cannot be opened: it was sealed with another key.')
  }
}
