import type { FakeMeasoft } from '@karvon/testkit/fakes/measoft.ts'
import type { CourierParcel } from '@karvon/testkit/fakes/measoft.xml.ts'
import { Api } from './api.ts'
import { courierLogin } from './fakes.ts'
import { newSource } from './leads.ts'

/** A person with a signed-in client. */
interface MonthPerson {
  id: number
  name: string
  api: Api
}

/** What an accountant settles: a shop with parcels at the courier, and two buyers who have earned money. */
interface Month {
  /** The name of the shop's courier account. */
  courierAccount: string
  shop: MonthPerson
  first: MonthPerson
  second: MonthPerson
}

const day = 24 * 3_600_000
/** A day before today, yyyy-mm-dd. */
const formatDayAgo = (days: number) => new Date(Date.now() - days * day).toISOString().slice(0, 10)

const deliveryFee = 20_000
const cashPercent = 1.5

/** The amounts that the courier collects. Those of the parcels M-3 and M-5 are wrong in the act. */
const amounts = [250_000, 120_000, 340_000, 99_000, 410_000, 185_000]

export function createParcel(orderno: string, amount: number, index: number): CourierParcel {
  const statuses = [
    { code: 'NEW', title: 'Новый', eventtime: `${formatDayAgo(9)} 09:00:00` },
    { code: 'COMPLETE', title: 'Доставлен', eventtime: `${formatDayAgo(6)} 1${index}:00:00` },
  ]
  return {
    orderno,
    person: 'Ойгул Саидова',
    phone: '+998901234567',
    town: 'Самарқанд',
    address: 'Регистон 1',
    weight: '1.2',
    price: String(deliveryFee),
    collected: amount.toFixed(2),
    courier: { code: '17', name: 'Жасур Рахимов', phone: '+998901112233' },
    items: [{ name: 'Чайник', article: 'CH-1', quantity: 1, price: amount.toFixed(2) }],
    day: formatDayAgo(9),
    statuses,
  }
}

const createLine = (orderno: string, amount: number, fee = deliveryFee) => ({
  code: orderno,
  orderno,
  delivereddate: formatDayAgo(6),
  rur: amount.toFixed(2),
  pricekur: fee.toFixed(2),
  priceag: ((amount * cashPercent) / 100).toFixed(2),
})

/**
 * Publishes six parcels of the shop at the courier and an act with three differences: M-3 has another amount, M-5 another
 * fee, and nobody knows M-404. The account is not fetched.
 */
async function publishAct(api: Api, courier: FakeMeasoft, shop: MonthPerson): Promise<string> {
  const name = `Courier of ${shop.name}`
  const parcels = amounts.map((amount, i) => createParcel(`M-${i + 1}`, amount, i))
  parcels.forEach((parcel) => courier.publish(parcel))
  const lines = amounts.map((amount, i) => {
    const orderno = `M-${i + 1}`
    if (orderno === 'M-3') return createLine(orderno, amount - 40_000)
    return createLine(orderno, amount, orderno === 'M-5' ? deliveryFee + 5000 : deliveryFee)
  })
  const act = { code: '71', number: 'A-71', actdate: formatDayAgo(2), datepay: formatDayAgo(1) }
  courier.acts = new Map([['71', { ...act, lines: [...lines, createLine('M-404', 70_000)] }]])
  const { id } = await api.call<{ id: number }>('POST', '/api/admin/courier-accounts/', {
    name,
    url: courier.url,
    ...courierLogin,
    user_id: shop.id,
    is_active: true,
  })
  await api.call('POST', '/api/admin/courier-tariffs/', {
    name: 'Standard',
    courier_account_id: id,
    delivery_fee: deliveryFee,
    cash_percent: cashPercent,
    cash_fee: null,
    valid_from: formatDayAgo(60),
  })
  return name
}

/** Imports sold leads of a stream of the buyer. */
async function earn(
  api: Api,
  buyer: MonthPerson,
  { source, payouts }: { source: number; payouts: readonly number[] },
): Promise<void> {
  const stream = `Stream of ${buyer.name}`
  const url = 'https://stream.example'
  await api.call('POST', '/api/admin/streams/', { name: stream, url, source_id: source, user_id: buyer.id })
  const rows = payouts.map(
    (payout, i) => `M-${buyer.id}-${i},${formatDayAgo(3)}T10:00:00+05:00,sold,${payout},Kettle,${stream}`,
  )
  const content = ['external_id,created_at,status,payout,offer,stream', ...rows].join('\n')
  const form = new FormData()
  form.set('source_id', String(source))
  form.set('file', new File([content], 'leads.csv'))
  await api.call('POST', '/api/admin/leads/import/', form)
}

async function createPerson(api: Api, username: string, sourceIds: number[] = []): Promise<MonthPerson> {
  const { id, password } = await api.newPerson(username, sourceIds)
  return { id, name: `Name of ${username}`, api: await Api.signIn(api.url, username, password) }
}

/** Creates a person who has earned the payouts of sold leads. */
export async function newBuyer(api: Api, username: string, payouts: readonly number[]): Promise<MonthPerson> {
  const source = await newSource(api, `Network-of-${username}`)
  const buyer = await createPerson(api, username, [source])
  await earn(api, buyer, { source, payouts })
  return buyer
}

/** Prepares what the accountant of the test settles. */
export async function prepareMonth(api: Api, courier: FakeMeasoft): Promise<Month> {
  const shop = await createPerson(api, 'month-shop')
  return {
    courierAccount: await publishAct(api, courier, shop),
    shop,
    first: await newBuyer(api, 'month-first', [90_000, 85_000.5, 64_000]),
    second: await newBuyer(api, 'month-second', [120_000, 45_000]),
  }
}
