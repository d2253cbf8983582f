import type { DuckDb } from './duckdb.ts'
import { computeSpread } from './figures.ts'
import type { Case } from './reports.cases.ts'
import type { LeadsProduct } from './reports.product.ts'
import { buildGroupSql, isCounted, type CountedKind, type Query, type ReportRow } from './reports.recount.ts'

/** Milliseconds to compute the same figures from the leads. Null if a report counts nothing. */
export interface PeerTimes {
  postgresMs: number | null
  duckMs: number | null
}

interface CountedReport {
  ms: number
  rows: ReportRow[]
}

/** GROUP BY over the same leads in PostgreSQL and DuckDB. The reports must equal these counts. */
export class Peers {
  readonly #product: LeadsProduct
  readonly #duck: DuckDb
  // The counts do not depend on the sort of a report.
  readonly #cache = new Map<string, CountedReport>()
  /** Reports whose rows were all compared with a recount. */
  comparedCount = 0

  constructor(product: LeadsProduct, duckdb: DuckDb) {
    this.#product = product
    this.#duck = duckdb
  }

  /** Counts every period of a case by DuckDB, and the first by PostgreSQL. Throws if a report differs. */
  async count({ kind, scope, queries }: Case): Promise<PeerTimes> {
    if (!isCounted(kind)) return { postgresMs: null, duckMs: null }
    const times: number[] = []
    let postgresMs: number | null = null
    for (const query of queries) {
      const viewer = this.#product.viewers[scope]
      const duckReport = await this.#countOnce(
        'duckdb',
        buildGroupSql(kind, query, viewer, 'duckdb'),
        (text) => this.#duck.query(text),
      )
      await this.#check(scope, kind, query, duckReport)
      times.push(duckReport.ms)
      if (postgresMs !== null) continue
      const postgresReport = await this.#countOnce(
        'postgres',
        buildGroupSql(kind, query, viewer, 'postgres'),
        (text) => this.#countByPostgres(text),
      )
      await this.#check(scope, kind, query, postgresReport)
      postgresMs = postgresReport.ms
    }
    return { postgresMs, duckMs: computeSpread(times).median }
  }

  async #check(
    scope: Case['scope'],
    kind: CountedKind,
    query: Query,
    { rows }: CountedReport,
  ): Promise<void> {
    await this.#product.check(scope, kind, query, rows)
    this.comparedCount += 1
  }

  async #countByPostgres(text: string): Promise<CountedReport> {
    const start = performance.now()
    const { rows } = await this.#product.pool.query<ReportRow>(text)
    return { ms: performance.now() - start, rows }
  }

  async #countOnce(
    by: string,
    text: string,
    count: (text: string) => Promise<CountedReport>,
  ): Promise<CountedReport> {
    const key = `${by} ${text}`
    const cachedReport = this.#cache.get(key)
    if (cachedReport !== undefined) return cachedReport
    const report = await count(text)
    this.#cache.set(key, report)
    return report
  }
}
