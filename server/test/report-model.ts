import fc from 'fast-check'
import { takeIn } from '../src/domains/leads/leads.intake.ts'
import { foldDeltas } from '../src/domains/reports/reports.fold.ts'
import { ask, createTestApp, firstAdmin, signIn, type Product, type Signed } from './app.ts'
import { lead } from './intake.ts'
import { createUser } from './people.ts'

// A desk at which anything that moves a report's figures can happen, step by step, in any order.

const people = 2
const words = ['accepted', 'Sent', 'sold', 'client_returned', 'hold', 'trash', 'callback', 'weird', 'odd']
/** Far apart, side by side, and at midnight in the installation's zone. */
const moments = [
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

const some = fc.nat({ max: 1000 })
const told = fc.record({
  id: fc.nat({ max: 25 }),
  word: fc.constantFrom(...words),
  payout: fc.constantFrom('0', '0.01', '0.1', '19.99', '9999999999999.99'),
  created_at: fc.constantFrom(...moments),
  version: fc.nat({ max: 28 }),
  offer: fc.option(fc.nat({ max: 3 })),
  stream: fc.option(fc.nat({ max: 5 })),
})

/** Numbers choose among what there is then. */
const steps = {
  intake: fc.record({ source: some, leads: fc.array(told, { minLength: 1, maxLength: 15 }) }),
  map: fc.record({ source: some, word: fc.constantFrom(...words), status: some }),
  remap: fc.record({ mapping: some, status: some }),
  unmap: fc.record({ mapping: some }),
  retype: fc.record({ status: some, type: some }),
  give: fc.record({ stream: some, person: some }),
  allow: fc.record({ person: some, sources: fc.subarray([0, 1, 2]) }),
  reoffer: fc.record({ lead: some, offer: some }),
  fold: fc.record({ size: fc.constantFrom(1, 7, 1000) }),
}
type Steps = {
  [Kind in keyof typeof steps]: (typeof steps)[Kind] extends fc.Arbitrary<infer Of> ? Of : never
}
export type Step = { [Kind in keyof Steps]: { step: Kind } & Steps[Kind] }[keyof Steps]

const of = <Kind extends keyof Steps>(step: Kind, arbitrary: fc.Arbitrary<Steps[Kind]>) =>
  arbitrary.map((rest) => Object.assign({ step }, rest))

export const someSteps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: of('intake', steps.intake) },
    { weight: 3, arbitrary: of('fold', steps.fold) },
    { weight: 2, arbitrary: of('give', steps.give) },
    of('map', steps.map),
    of('remap', steps.remap),
    of('unmap', steps.unmap),
    of('retype', steps.retype),
    of('allow', steps.allow),
    of('reoffer', steps.reoffer),
  ),
  { minLength: 3, maxLength: 20 },
) as fc.Arbitrary<Step[]>

export interface Person {
  signed: Signed
  userId: number
  roleId: number
}

export class ReportDesk {
  readonly product: Product
  readonly admin: Signed
  readonly sources: number[] = []
  readonly people: Person[] = []

  private constructor(product: Product, admin: Signed) {
    this.product = product
    this.admin = admin
  }

  static async open(): Promise<ReportDesk> {
    const product = await createTestApp()
    const desk = new ReportDesk(product, await signIn(product.app, firstAdmin.username, firstAdmin.password))
    for (const name of ['One', 'Two', 'Three'])
      desk.sources.push(
        await desk.create('/api/admin/cpa-sources/', { name, url: 'https://network.example' }),
      )
    for (let n = 0; n < people; n++) {
      const body = { name: `Role ${n}`, code: `role-${n}`, source_ids: desk.sources }
      const roleId = await desk.create('/api/admin/roles/', body)
      const signed = await createUser(product.app, desk.admin, `person-${n}`, roleId)
      const me = await ask(product.app, signed, 'GET', '/parcel/auth/me')
      desk.people.push({ signed, roleId, userId: me.json<{ id: number }>().id })
    }
    return desk
  }

  /** Forgets the leads and all that came with them, through the same triggers as everything else. */
  async clear(): Promise<void> {
    for (const table of ['lead_history', 'leads', 'streams', 'offers', 'lead_remaps'])
      await this.product.deps.pool.query(`delete from ${table}`)
  }

  async take(step: Step): Promise<void> {
    const { deps } = this.product
    switch (step.step) {
      case 'intake': {
        const source = pick(this.sources, step.source) ?? 0
        const batch = step.leads.map(({ id, version, offer, stream, ...rest }) =>
          lead(`id ${id}`, {
            ...rest,
            updated_at: new Date(Date.UTC(2026, 10, 1 + version)).toISOString(),
            offer: offer === null ? null : `Offer ${offer}`,
            stream: stream === null ? null : `Stream ${stream}`,
          }),
        )
        await takeIn(deps.db, source, batch, { origin: 'connector' })
        return
      }
      case 'map':
        return this.change('POST', '/api/admin/source-statuses/', {
          name: step.word,
          source_name: step.word,
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
    }
  }

  async create(url: string, body: Record<string, unknown>): Promise<number> {
    const answer = await ask(this.product.app, this.admin, 'POST', url, body)
    if (answer.statusCode !== 201) throw new Error(`${url} answered ${answer.statusCode}: ${answer.body}`)
    return answer.json<{ id: number }>().id
  }

  /** One of a table's rows, null where there is none. */
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

  /** A word may be mapped already; nothing else may be refused. */
  private async change(method: 'POST' | 'PUT' | 'DELETE', url: string, body?: object): Promise<void> {
    const answer = await ask(this.product.app, this.admin, method, url, body)
    if (![200, 201, 204, 409].includes(answer.statusCode))
      throw new Error(`${method} ${url} answered ${answer.statusCode}: ${answer.body}`)
  }
}

const pick = <T>(of: readonly T[], n: number): T | undefined => of[n % of.length]
