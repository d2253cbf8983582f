import { fileURLToPath } from 'node:url'
import { openPool } from '@karvon/server/platform/database/pool.ts'
import { startProcess, type NodeProcess } from '@karvon/testkit/node-process.ts'
import { buildWebEnv, signIn } from './product.ts'
import { canReadTimes, listChildren, readTimesByProcess, sumBetween } from './processor.ts'
import { admin, openLeadsCluster } from './leads.cluster.ts'
import {
  compareRows,
  groupsAtMost,
  type CountedKind,
  type Query,
  type ReportRow,
  type Reader,
} from './reports.recount.ts'
import type { Scope } from './reports.cases.ts'
import type { DuckRow } from './duckdb.ts'
import { timezone } from './databases.ts'

type Pool = ReturnType<typeof openPool>

/** Elapsed milliseconds, and those of processor time in the product and PostgreSQL (NaN if unknown). */
export interface Duration {
  ms: number
  cpu: number
}

/** The product, started as in production, with generated leads and two signed-in people. */
export interface LeadsProduct {
  leads: number
  folder: string
  pool: Pool
  viewers: Record<Scope, Reader>
  /** Measures one report from the request to the last byte of the answer. */
  time(scope: Scope, kind: string, query: Query): Promise<Duration>
  /** The same for any address of the API. */
  timePath(scope: Scope, path: string): Promise<Duration>
  read(scope: Scope, path: string): Promise<string>
  /** Reads every page of a report. Throws if it differs from the recount. */
  check(scope: Scope, kind: CountedKind, query: Query, recount: readonly DuckRow[]): Promise<void>
  stop(): Promise<void>
}

const server = fileURLToPath(import.meta.resolve('@karvon/server/main.ts'))
const buyer = 'buyer1'
/** Deltas that are pending during the measurement, as between two folds. */
export const pendingDeltas = 2000

/** Opens the leads and starts a web process on them. No job folds the deltas. */
export async function startLeadsProduct(
  leads: number,
  log: (message: string) => void,
): Promise<LeadsProduct> {
  const cluster = await openLeadsCluster(leads, log)
  const pool = openPool(cluster.url, { timezone, statementTimeout: 0, max: 2 })
  let app: NodeProcess | undefined
  const stop = async () => {
    await app?.stop()
    await pool.query('delete from lead_deltas')
    await pool.end()
    await cluster.stop()
  }
  try {
    await insertDeltas(pool)
    app = await startProcess(server, { env: buildWebEnv(cluster.url, cluster.folder) })
    const { url, pid } = app
    const tokens = {
      admin: (await signIn(url, admin)).token,
      user: (await signIn(url, { username: buyer, password: admin.password })).token,
    }
    const readPath = async (scope: Scope, path: string) => {
      const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${tokens[scope]}` } })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`)
      return text
    }
    const toPath = (scope: Scope, kind: string, query: Query) => {
      const parameters = new URLSearchParams(
        Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
      )
      return `/api/${scope}/report/${kind}?${parameters.toString()}`
    }
    const read = (scope: Scope, kind: string, query: Query) => readPath(scope, toPath(scope, kind, query))
    const timePath = async (scope: Scope, path: string): Promise<Duration> => {
      const processes = canReadTimes ? [pid, ...listChildren(cluster.pid())] : []
      const usedBefore = readTimesByProcess(processes)
      const startedAt = performance.now()
      await readPath(scope, path)
      const ms = performance.now() - startedAt
      return { ms, cpu: canReadTimes ? sumBetween(usedBefore, readTimesByProcess(processes)) : Number.NaN }
    }
    return {
      leads,
      folder: cluster.folder,
      pool,
      viewers: { admin: 'admin', user: await readViewer(pool) },
      time: (scope, kind, query) => timePath(scope, toPath(scope, kind, query)),
      timePath,
      read: readPath,
      check: async (scope, kind, query, recount) => {
        const rows: ReportRow[] = []
        const size = 200
        for (let page = 1; (page - 1) * size < groupsAtMost[kind]; page += 1) {
          const { items } = JSON.parse(await read(scope, kind, { ...query, per_page: size, page })) as {
            items: ReportRow[]
          }
          rows.push(...items)
          if (items.length < size) break
        }
        compareRows(kind, rows, recount)
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function readViewer(pool: Pool): Promise<Reader> {
  const { rows } = await pool.query<{ userId: number; roleId: number }>(
    'select id as "userId", role_id as "roleId" from users where username = $1',
    [buyer],
  )
  const [row] = rows
  if (row === undefined) throw new Error(`There is no ${buyer}`)
  return row
}

/** Inserts pairs of opposite deltas. Every report reads them, and no figure changes. */
export async function insertDeltas(pool: Pool): Promise<void> {
  const figures = 'leads, accepted, cancel, recall, send, sold, returned, hold, profit, hold_amount'
  const signedFigures = figures.replaceAll(/\w+/g, 'n * t.$&')
  await pool.query('truncate lead_deltas')
  await pool.query(
    `insert into lead_deltas (day, source_id, offer_id, stream_id, ${figures})
     select t.start, t.source_id, t.offer_id, t.stream_id, ${signedFigures}
     from (select * from stream_totals where span = 1 order by hashint8(stream_id), start limit $1) t
     cross join (values (1), (-1)) ways (n)`,
    [pendingDeltas / 2],
  )
  await pool.query('analyze lead_deltas')
}
