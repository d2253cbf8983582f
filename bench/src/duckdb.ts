import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { openPool } from '@karvon/server/platform/database/pool.ts'
import { installPeer, peerFolder } from './peer.install.ts'

type Pool = ReturnType<typeof openPool>

/** A row as JSON. Numbers above 32 bits and decimals are texts. */
export type DuckRow = Record<string, string | number | null>

/** DuckDB in a separate process, with the leads of a cluster. */
export interface DuckDb {
  version: string
  /** The rows, and the milliseconds that DuckDB reports. */
  query(sql: string): Promise<{ ms: number; rows: DuckRow[] }>
  stop(): Promise<void>
}

/** A column of DuckDB with its type, and its SQL in PostgreSQL if that differs from its name. */
type Column = readonly [name: string, type: string, from?: string]

/** The columns of each table that DuckDB stores. */
const tables: Readonly<Record<string, readonly Column[]>> = {
  leads: [
    ['day', 'date'],
    ['hour', 'integer', 'extract(hour from created_at)'],
    ['source_id', 'integer'],
    ['offer_id', 'integer'],
    ['stream_id', 'integer'],
    ['status_id', 'integer'],
    ['payout', 'decimal(15, 2)'],
    ['region', 'varchar'],
    ['cancel_reason', 'varchar'],
    ['sub1', 'varchar', `subs ->> 'sub1'`],
    ['sub2', 'varchar', `subs ->> 'sub2'`],
    ['sub3', 'varchar', `subs ->> 'sub3'`],
  ],
  statuses: [
    ['id', 'integer'],
    ['type_id', 'integer'],
  ],
  status_types: [
    ['id', 'integer'],
    ['code', 'varchar'],
  ],
  streams: [
    ['id', 'integer'],
    ['user_id', 'integer'],
  ],
  role_source_access: [
    ['role_id', 'integer'],
    ['source_id', 'integer'],
  ],
}
/** Copies with other columns have other names. */
const copyName = createHash('sha256').update(JSON.stringify(tables)).digest('hex').slice(0, 8)

/** Opens DuckDB's copy of the cluster's leads in `folder`. Creates it first if it does not exist. */
export async function openDuckDb(pool: Pool, folder: string): Promise<DuckDb> {
  const version = installPeer('duckdb', '@duckdb/node-api')
  const file = path.join(folder, `leads-${copyName}.duckdb`)
  if (!existsSync(file)) {
    const fresh = `${file}.new`
    rmSync(fresh, { force: true })
    const draft = startDuckDb(fresh, version)
    for (const [table, columns] of Object.entries(tables))
      await copyTable({ pool, duckdb: draft, folder }, table, columns)
    await draft.query('checkpoint')
    await draft.stop()
    renameSync(fresh, file)
  }
  return startDuckDb(file, version)
}

function startDuckDb(file: string, version: string): DuckDb {
  const program = path.join(peerFolder('duckdb'), 'src', 'main.mjs')
  const child = spawn(process.execPath, [program, file], { stdio: ['pipe', 'pipe', 'inherit'] })
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const readLines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    version,
    query: async (sql) => {
      child.stdin.write(`${JSON.stringify(sql)}\n`)
      const { value, done } = await readLines.next()
      if (done === true) throw new Error('DuckDB ended')
      const answer = JSON.parse(value) as { ms: number; rows: DuckRow[] } | { error: string }
      if ('error' in answer) throw new Error(`${answer.error}\n${sql}`)
      return answer
    },
    stop: async () => {
      child.stdin.end()
      await exit
    },
  }
}

/** Copies a table by a csv file. The values contain no commas. */
async function copyTable(
  { pool, duckdb, folder }: { pool: Pool; duckdb: DuckDb; folder: string },
  table: string,
  columns: readonly Column[],
): Promise<void> {
  const file = path.join(folder, `${table}.csv`)
  await pipeline(Readable.from(readLines(pool, table, columns)), createWriteStream(file))
  await duckdb.query(`create table ${table} (${columns.map(([name, type]) => `${name} ${type}`).join(', ')})`)
  await duckdb.query(`copy ${table} from '${file}' (header false, delimiter ',')`)
  rmSync(file)
}

async function* readLines(pool: Pool, table: string, columns: readonly Column[]): AsyncGenerator<string> {
  const line = `concat(${columns.map(([name, , from]) => from ?? name).join(`, ',', `)})`
  const { rows } = await pool.query<{ last: number }>(
    `select coalesce(max(id), 0)::integer as last from ${table}`,
  )
  const last = rows[0]?.last ?? 0
  const step = 50_000
  for (let from = 0; from <= last; from += step) {
    const page = await pool.query<{ text: string | null }>(
      `select string_agg(${line}, E'\\n' order by id) as text from ${table} where id >= $1 and id < $2`,
      [from, from + step],
    )
    const text = page.rows[0]?.text
    if (text) yield `${text}\n`
  }
}
