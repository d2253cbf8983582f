import fc from 'fast-check'
import { ingestLeads } from '../src/domains/leads/leads.ingest.ts'
import { foldDeltas } from '../src/domains/reports/reports.fold.queries.ts'
import { recountNextBatch } from '../src/domains/reports/reports.recounts.queries.ts'
import { findStatusRecount } from '../src/domains/rollups/rollups.recounts.queries.ts'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from './app.ts'
import { buildLead } from './lead-database.ts'
import { createUser, readOwnId } from './people.ts'
import { setRecountBatch } from './recounts.ts'

// A model of everything that can change the figures of reports, as steps in any order.

const people = 2
const sourceStatuses = [
  'accepted',
  'Sent',
  'sold',
  'client_returned',
  'hold',
  'trash',
  'callback',
  'weird',
  'odd',
]
/** Distant days, adjacent days, and midnight in the time zone of the installation. */
const creationTimes = [
  '2026-11-20T18:59:59Z',
  '2026-11-20T19:00:00Z',
  '2026-11-21T10:00:00Z',
  '2026-11-25T10:00:00Z',
  '2026-12-31T23:00:00Z',
  '2026-02-28T20:00:00Z',
  '2025-06-01T12:00:00Z',
  '1999-12-31T12:00:00Z',
  '2199-01-01T00:00:00Z',
] as const

const arbitraryIndex = fc.nat({ max: 1000 })
const arbitraryLead = fc.record({
  id: fc.nat({ max: 25 }),
  source_status: fc.constantFrom(...sourceStatuses),
  payout: fc.constantFrom('0', '0.01', '0.1', '19.99', '9999999999999.99'),
  created_at: fc.constantFrom(...creationTimes),
  version: fc.nat({ max: 28 }),
  offer: fc.option(fc.nat({ max: 3 })),
  stream: fc.option(fc.nat({ max: 5 })),
})

/** The numbers are indexes into the rows that exist at that step. */
const stepArbitraries = {
  intake: fc.record({
    source: arbitraryIndex,
    leads: fc.array(arbitraryLead, { minLength: 1, maxLength: 15 }),
  }),
  map: fc.record({
    source: arbitraryIndex,
    source_status: fc.constantFrom(...sourceStatuses),
    status: arbitraryIndex,
  }),
  remap: fc.record({ mapping: arbitraryIndex, status: arbitraryIndex }),
  unmap: fc.record({ mapping: arbitraryIndex }),
  retype: fc.record({ status: arbitraryIndex, type: arbitraryIndex }),
  give: fc.record({ stream: arbitraryIndex, person: arbitraryIndex }),
  allow: fc.record({ person: arbitraryIndex, sources: fc.subarray([0, 1, 2]) }),
  reoffer: fc.record({ lead: arbitraryIndex, offer: arbitraryIndex }),
  fold: fc.record({ size: fc.constantFrom(1, 7, 1000) }),
  recount: fc.record({ batches: fc.nat({ max: 3 }) }),
}
type Steps = {
  [Kind in keyof typeof stepArbitraries]: (typeof stepArbitraries)[Kind] extends fc.Arbitrary<infer Of>
    ? Of
    : never
}
export type ModelStep = { [Kind in keyof Steps]: { step: Kind } & Steps[Kind] }[keyof Steps]

const withStep = <Kind extends keyof Steps>(step: Kind, arbitrary: fc.Arbitrary<Steps[Kind]>) =>
  arbitrary.map((rest) => Object.assign({ step }, rest))

export const arbitrarySteps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: withStep('intake', stepArbitraries.intake) },
    { weight: 3, arbitrary: withStep('fold', stepArbitraries.fold) },
    { weight: 2, arbitrary: withStep('give', stepArbitraries.give) },
    withStep('map', stepArbitraries.map),
    withStep('remap', stepArbitraries.remap),
    withStep('unmap', stepArbitraries.unmap),
    { weight: 2, arbitrary: withStep('retype', stepArbitraries.retype) },
    withStep('recount', stepArbitraries.recount),
    withStep('allow', stepArbitraries.allow),
    withStep('reoffer', stepArbitraries.reoffer),
  ),
  { minLength: 3, maxLength: 20 },
) as fc.Arbitrary<ModelStep[]>

export interface Person {
  signed: Session
  userId: number
  roleId: number
}

export class ReportModelProduct {
  readonly product: Product
  readonly admin: Session
  readonly sources: number[] = []
  readonly people: Person[] = []

  private constructor(product: Product, admin: Session) {
    this.product = product
    this.admin = admin
  }

  static async open(): Promise<ReportModelProduct> {
    const product = await createTestApp()
    await setRecountBatch(product.deps.pool, 3)
    const model = new ReportModelProduct(product, await signInAdmin(product.app))
    for (const name of ['One', 'Two', 'Three'])
      model.sources.push(
        await model.create('/api/admin/cpa-sources/', { name, url: 'https://network.example' }),
      )
    for (let n = 0; n < people; n++) {
      const body = { name: `Role ${n}`, code: `role-${n}`, source_ids: model.sources }
      const roleId = await model.create('/api/admin/roles/', body)
      const session = await createUser(product.app, model.admin, `person-${n}`, roleId)
      model.people.push({ signed: session, roleId, userId: await readOwnId(product.app, session) })
    }
    return model
  }

  /** Deletes the leads and all dependent rows; the triggers run. */
  async clear(): Promise<void> {
    for (const table of ['lead_history', 'leads', 'streams', 'offers', 'lead_remaps', 'status_recounts'])
      await this.product.deps.pool.query(`delete from ${table}`)
  }

  async applyStep(step: ModelStep): Promise<void> {
    const { deps } = this.product
    switch (step.step) {
      case 'intake': {
        const source = pick(this.sources, step.source) ?? 0
        const batch = step.leads.map(({ id, version, offer, stream, ...rest }) =>
          buildLead(`id ${id}`, {
            ...rest,
            updated_at: new Date(Date.UTC(2026, 10, 1 + version)).toISOString(),
            offer: offer === null ? null : `Offer ${offer}`,
            stream: stream === null ? null : `Stream ${stream}`,
          }),
        )
        await ingestLeads(deps.db, { sourceId: source, leads: batch, origin: 'connector' })
        return
      }
      case 'map':
        return this.change('POST', '/api/admin/source-statuses/', {
          name: step.source_status,
          source_name: step.source_status,
          status_id: await this.one('statuses', step.status),
          source_id: pick(this.sources, step.source),
        })
      case 'remap': {
        const status_id = await this.one('statuses', step.status)
        return this.changeOne('source_statuses', step.mapping, 'POST', { status_id })
      }
      case 'unmap':
        return this.changeOne('source_statuses', step.mapping, 'DELETE')
      case 'retype': {
        const type_id = await this.one('status_types', step.type)
        return this.changeOne('statuses', step.status, 'POST', { type_id })
      }
      case 'give': {
        const user_id = pick(this.people, step.person)?.userId
        return this.changeOne('streams', step.stream, 'PUT', { user_id })
      }
      case 'allow': {
        const source_ids = step.sources.map((n) => this.sources[n])
        return this.change('PUT', `/api/admin/roles/${pick(this.people, step.person)?.roleId}`, {
          source_ids,
        })
      }
      case 'reoffer': {
        const values = [await this.one('leads', step.lead), await this.one('offers', step.offer)]
        await deps.pool.query('update leads set offer_id = $2 where id = $1', values)
        return
      }
      case 'fold':
        await foldDeltas(deps.db, step.size)
        return
      case 'recount':
        for (let n = 0; n < step.batches; n++) {
          const status = await findStatusRecount(deps.db)
          if (status !== null) await recountNextBatch(deps.db, status)
        }
    }
  }

  async create(url: string, body: Record<string, unknown>): Promise<number> {
    const answer = await callApi(this.product.app, this.admin, 'POST', url, body)
    if (answer.statusCode !== 201) throw new Error(`${url} answered ${answer.statusCode}: ${answer.body}`)
    return answer.json<{ id: number }>().id
  }

  /** The id of one row of a table; null if the table is empty. */
  private async one(table: string, n: number): Promise<number | null> {
    const text = `select id from ${table} order by id offset $1 % greatest((select count(*) from ${table}), 1) limit 1`
    const { rows } = await this.product.deps.pool.query<{ id: number }>(text, [n])
    return rows[0]?.id ?? null
  }

  private async changeOne(
    table: string,
    n: number,
    method: 'POST' | 'PUT' | 'DELETE',
    body?: object,
  ): Promise<void> {
    const id = await this.one(table, n)
    if (id !== null) await this.change(method, `/api/admin/${table.replaceAll('_', '-')}/${id}`, body)
  }

  /** 409 is allowed, because a source status may already have a mapping. Every other error fails. */
  private async change(method: 'POST' | 'PUT' | 'DELETE', url: string, body?: object): Promise<void> {
    const answer = await callApi(this.product.app, this.admin, method, url, body)
    if (![200, 201, 204, 409].includes(answer.statusCode))
      throw new Error(`${method} ${url} answered ${answer.statusCode}: ${answer.body}`)
  }
}

const pick = <T>(of: readonly T[], n: number): T | undefined => of[n % of.length]
