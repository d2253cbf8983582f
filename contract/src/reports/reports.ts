import { Type, type Static, type TSchema } from 'typebox'
import { call } from '../lib/call.ts'
import { Id, Named } from '../lib/field.ts'
import { pageSchema } from '../lib/page.ts'
import { listQuery } from '../lib/resource.ts'
import { DateTime, Day, nullable, PayoutCurrencies } from '../lib/schemas.ts'

const count = Type.Integer()
const rate = nullable(Type.Number())

/** The figures of a row. Money adds the payouts in all currencies; rates are 0 to 1, null if the divisor is 0. */
const figures = {
  leads: count,
  accepted: count,
  cancel: count,
  recall: count,
  send: count,
  sold: count,
  returned: count,
  hold: count,
  profit: Type.Number({ description: 'Payouts of sold leads' }),
  hold_amount: Type.Number({ description: 'Payouts of leads on hold' }),
  approve_rate: rate,
  buyout_rate: rate,
}
export const Figures = Type.Object(figures)
export type Figures = Static<typeof Figures>

const figureKeys = Object.keys(figures) as (keyof Figures)[]

export const DailyRow = Type.Object({ date: Day, ...figures })
export type DailyRow = Static<typeof DailyRow>

/** One source, offer or stream. Leads without an offer or a stream are in a row whose id is null. */
export const GroupRow = Type.Object({
  id: nullable(Type.Integer()),
  name: Type.String(),
  ...figures,
})
export type GroupRow = Static<typeof GroupRow>

/** `source` is null, unless another row of the report has the same name. */
const OfferOrStreamRow = Type.Object({ ...GroupRow.properties, source: nullable(Named) })
export type OfferOrStreamRow = Static<typeof OfferOrStreamRow>

const amount = (description: string) => Type.Union([Type.Number(), Type.Null()], { description })

/**
 * The money of a source: our amounts, and the amounts that the network reports for all credentials in the report, each
 * with its time. An amount that the network does not report is null.
 */
const FinRow = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  profit: Type.Number(),
  hold_amount: Type.Number(),
  time: Type.String({ format: 'date-time', description: 'When our amounts were calculated: now' }),
  network_balance: amount('The amount that the network owes, as it reports'),
  network_hold: amount('The amount on hold, as the network reports'),
  network_time: Type.Union([DateTime, Type.Null()], {
    description: 'The time of the network’s amounts, the oldest of its credentials',
  }),
  balance_difference: amount('The network’s balance minus our profit'),
  hold_difference: amount('The network’s hold minus our hold amount'),
})
export type FinRow = Static<typeof FinRow>

const periodQuery = { source_id: Id, start_date: Day, end_date: Day }

const kinds = {
  sources: { summary: 'Sources that you may see', row: Named, keys: ['id', 'name'], filters: {} },
  fin: {
    summary: 'Money by source',
    row: FinRow,
    keys: ['name', 'profit', 'hold_amount'],
    filters: periodQuery,
  },
  stats: { summary: 'Leads by source', row: GroupRow, keys: ['name', ...figureKeys], filters: periodQuery },
  daily: { summary: 'Leads by day', row: DailyRow, keys: ['date', ...figureKeys], filters: periodQuery },
  offers: {
    summary: 'Leads by offer',
    row: OfferOrStreamRow,
    keys: ['name', ...figureKeys],
    filters: periodQuery,
  },
  streams: {
    summary: 'Leads by stream',
    row: OfferOrStreamRow,
    keys: ['name', ...figureKeys],
    filters: periodQuery,
  },
} satisfies Record<
  string,
  { summary: string; row: TSchema; keys: string[]; filters: Record<string, TSchema> }
>

export type ReportKind = keyof typeof kinds
const reportKinds = Object.keys(kinds) as ReportKind[]

/** An admin report is over all leads, a user report over the streams of the caller. */
export type ReportScope = 'admin' | 'user'

/** The call of a report. If the rows are figures, meta contains `totals` over all matching rows. `currencies` are those of all leads of the scope and the source. */
export function reportCall(scope: ReportScope, kind: ReportKind) {
  const { summary, row, keys, filters } = kinds[kind]
  const totals: Record<string, TSchema> = kind === 'sources' || kind === 'fin' ? {} : { totals: Figures }
  return call({
    id: `report.${scope}.${kind}`,
    summary,
    method: 'GET',
    path: `/api/${scope}/report/${kind}`,
    guard: scope === 'admin' ? 'admin' : 'person',
    query: listQuery(keys, filters),
    answer: pageSchema(row, { ...totals, currencies: PayoutCurrencies }),
  })
}

export const reportCalls = (['admin', 'user'] as const).flatMap((scope) =>
  reportKinds.map((kind) => reportCall(scope, kind)),
)
