import { sql } from 'kysely'
import type { ActInput, ActLineInput } from '../domains/settlements/settlements.types.ts'
import type { Db } from '../platform/database/pool.ts'
import type { DemoMoney } from './demo.parts.ts'

/** What the courier takes for a parcel. The fake courier has the same fees. */
const tariff = { delivery_fee: '30000', cash_percent: '1' }
/** Days between two acts, and days until an act is paid. */
const actDays = 7
const paymentDays = 4

/** A delivered parcel. `act`: the number of the act that settles it, from 1 for the newest one. */
interface DeliveredParcel {
  act: number
  act_date: string
  /** Null: not paid yet. */
  paid_at: string | null
  orderno: string
  day: string
  delivered_date: string
  cash: string
  cash_fee: string
  declared_value: string | null
  weight: string | null
  pay_type: string | null
}

/**
 * Stores a weekly act of the courier for all parcels that the account's person had delivered until yesterday. All of them
 * agree with the parcels and the tariff, except for three differences: in the newest act the courier collected less for
 * one parcel, and settles an unknown order; in the act before, one delivery costs more than was agreed.
 */
export async function createActs(trx: Db, accountId: number, money: DemoMoney): Promise<void> {
  await sql`
    insert into courier_tariffs (name, courier_account_id, delivery_fee, cash_percent, valid_from)
    values ('Договор № 118', ${accountId}, ${tariff.delivery_fee}, ${tariff.cash_percent}, current_date - 120)`.execute(
    trx,
  )
  const parcels = await readDelivered(trx, accountId)
  const acts = [...Map.groupBy(parcels, ({ act }) => act)].toSorted(([a], [b]) => b - a)
  for (const [number, rows] of acts) {
    const lines = rows.map(toLine)
    await money.storeAct(trx, { accountId, currency: 'UZS' }, buildAct(rows, addDifferences(number, lines)))
  }
}

async function readDelivered(trx: Db, accountId: number): Promise<DeliveredParcel[]> {
  const { rows } = await sql<DeliveredParcel>`
    select act, (current_date - 1 - (act - 1) * ${actDays}::int)::text as act_date,
      case when act > 1 then (current_date - 1 - (act - 1) * ${actDays}::int + ${paymentDays}::int)::text end as paid_at,
      orderno, day::text as day, delivered::text as delivered_date, cash::text as cash,
      round(cash * ${tariff.cash_percent}::numeric / 100, 2)::text as cash_fee, declared_value, weight, pay_type
    from (
      select 1 + (current_date - 2 - p.eventtime::date) / ${actDays}::int as act, p.orderno, p.day,
        p.eventtime::date as delivered, coalesce(p.cod_amount, 0) as cash, p.declared_value::text as declared_value,
        p.weight::text as weight, p.pay_type
      from parcels p join courier_accounts c on c.user_id = p.owner_id
      where c.id = ${accountId} and p.status_code = 'DELIVERED' and p.eventtime < current_date - 1
    ) delivered order by act desc, orderno`.execute(trx)
  return rows
}

const toLine = (parcel: DeliveredParcel): ActLineInput => ({
  orderno: parcel.orderno,
  code: `2${parcel.orderno.slice(3)}`,
  order_date: parcel.day,
  delivered_date: parcel.delivered_date,
  company: 'Olcha Market',
  collected: parcel.cash,
  fee: null,
  delivery_fee: tariff.delivery_fee,
  cash_fee: parcel.cash_fee,
  due: null,
  declared_value: parcel.declared_value,
  weight: parcel.weight,
  pay_type: parcel.pay_type,
  status_title: 'Доставлен',
})

/** `act`: its number from the newest one. */
function addDifferences(act: number, lines: ActLineInput[]): ActLineInput[] {
  const changedIndex = lines.findIndex(({ collected }) => Number(collected) > 0)
  const at = lines[changedIndex]
  if (at === undefined) return lines
  if (act === 1) {
    const collectedAmount = Number(at.collected) - 20_000
    const reducedLine = { ...at, collected: String(collectedAmount), cash_fee: String(collectedAmount / 100) }
    const unknownLine = { ...at, orderno: 'EX-20735', code: '220735' }
    return [...lines.with(changedIndex, reducedLine), unknownLine]
  }
  return act === 2 ? lines.with(changedIndex, { ...at, delivery_fee: '42000' }) : lines
}

function buildAct([firstParcel]: DeliveredParcel[], lines: ActLineInput[]): ActInput {
  if (firstParcel === undefined) throw new Error('An act has lines')
  const { act_date, paid_at } = firstParcel
  return {
    origin: 'courier',
    code: `demo-${act_date}`,
    number: act_date.slice(2).replaceAll('-', ''),
    act_date,
    paid_at,
    collected: null,
    fees: null,
    correction: null,
    pay_type: 'CASH',
    has_signed_copy: paid_at !== null,
    header_hash: null,
    lines,
  }
}
