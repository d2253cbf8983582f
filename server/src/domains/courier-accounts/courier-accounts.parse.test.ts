import { maxParcelItems } from '@karvon/contract/lib/limits.ts'
import { expect, test } from 'vitest'
import { openMeasoft } from '../../integrations/measoft/measoft.ts'
import { parseActHeader, parseActLines } from './courier-accounts.acts.parse.ts'
import { parseCourierOrders } from './courier-accounts.parse.ts'

const account = { url: 'https://courier.example', extra: '8', login: 'karvon', pass: 'secret' }
const status = '<status eventtime="2026-11-20 10:00:00" title="Новый">NEW</status>'
const options = { ownerId: 1, services: new Map<string, string>(), receivedAt: new Date() }

/** Parses one order of the courier with these elements. */
async function parseOrder(elements: string) {
  const xml = `<statusreq count="1"><order orderno="1">${elements}${status}</order></statusreq>`
  const orders = await openMeasoft(account, async () => xml).fetchChanges()
  return (await parseCourierOrders(orders, options)).events[0]
}

const parseItems = async (elements: string): Promise<unknown> =>
  JSON.parse((await parseOrder(`<items>${elements}</items>`))?.items ?? 'null')

const emptyItem = {
  name: null,
  code: null,
  article: null,
  barcode: null,
  quantity: null,
  weight: null,
  price: null,
}

test('amounts and a pay type of the courier that cannot be read are left out', async () => {
  expect(
    await parseOrder('<price>1,5e3</price><paytype>BARTER</paytype><inshprice>-1</inshprice>'),
  ).toMatchObject({
    cod_amount: null,
    pay_type: null,
    declared_value: null,
  })
  expect(await parseOrder('<price>0.00</price><paytype>NO</paytype><inshprice>10</inshprice>')).toMatchObject(
    {
      cod_amount: '0.00',
      pay_type: 'NO',
      declared_value: '10',
    },
  )
})

test('more decimals of the courier that are zeros change no amount, weight or price', async () => {
  const item = '<item quantity="2.0000" mass="0.2500" retprice="50000.0000">Чайник</item>'
  const elements = `<price>149000.5000</price><weight>1.25000</weight><items>${item}</items>`
  const event = await parseOrder(elements)
  expect(event).toMatchObject({ cod_amount: '149000.50', weight: '1.250' })
  expect(JSON.parse(event?.items ?? 'null')).toMatchObject([{ quantity: 2, weight: 0.25, price: 50_000 }])
  expect(await parseOrder('<price>149000.505</price>')).toMatchObject({ cod_amount: null })
})

test('more decimals of an act that are zeros change no amount or weight', async () => {
  const [header] = await openMeasoft(
    account,
    async () =>
      '<smalist><sma><code>1</code><actdate>2026-11-20</actdate><rur>149000.5000</rur></sma></smalist>',
  ).fetchActs('2026-11-01', '2026-11-30')
  expect(header && parseActHeader(header)).toMatchObject({ collected: '149000.50' })
  const readLines = async (elements: string) => {
    const xml = `<smadetail><specialsma>${elements}</specialsma></smadetail>`
    return parseActLines(await openMeasoft(account, async () => xml).fetchActLines('1'))
  }
  const line =
    '<rur>-100.000</rur><price>16000.0000</price><inshprice>5.000</inshprice><weight>1.2500</weight>'
  const amounts = { collected: '-100.00', fee: '16000.00', declared_value: '5.00', weight: '1.250' }
  expect(await readLines(line)).toMatchObject([amounts])
  expect(await readLines('<rur>100.005</rur>')).toBeNull()
})

test('a current status without a time that can be read counts as of its receipt, and a past one is a problem', async () => {
  const wrong = (code: string) => `<status eventtime="yesterday" title="">${code}</status>`
  const xml = `<statusreq count="1"><order orderno="1">${wrong('COMPLETE')}
    <statushistory>${wrong('DELIVERY')}${status}</statushistory></order></statusreq>`
  const orders = await openMeasoft(account, async () => xml).fetchChanges()
  const { events, undatedEvents, problems } = await parseCourierOrders(orders, options)
  expect(events.map(({ state }) => state.raw)).toEqual(['NEW'])
  expect(undatedEvents).toMatchObject([
    { state: { raw: 'COMPLETE' }, eventtime: options.receivedAt.toISOString() },
  ])
  expect(problems).toEqual(['1: the time of DELIVERY cannot be read'])
})

test('an act with a payment in the future, or at a date that means none, is not paid yet', () => {
  const act = { code: '1', act_date: '2026-11-20', paid_at: '2026-11-25' }
  const rest = {
    number: null,
    collected: null,
    fees: null,
    correction: null,
    pay_type: null,
    signed_copy: null,
  }
  expect(parseActHeader({ ...act, ...rest })).toMatchObject({ paid_at: '2026-11-25' })
  for (const paid_at of ['2199-01-01', '0000-00-00', '1900-01-01'])
    expect(parseActHeader({ ...act, ...rest, paid_at })).toMatchObject({ paid_at: null })
})

test('a type of the courier is kept if it is a name, and left out if it is a code', async () => {
  expect(await parseOrder('<type>2</type>')).toMatchObject({ type_name: null })
  expect(await parseOrder('<type>Документы</type>')).toMatchObject({ type_name: 'Документы' })
})

test('an item of the courier keeps the values that can be read, and an item without any is left out', async () => {
  const item = `<item code="7" article="${'x'.repeat(101)}" quantity="1.5" mass="heavy" retprice="10.50">Чай</item>`
  expect(await parseItems(`${item}<item/><item code=" " quantity="?"/>`)).toEqual([
    { ...emptyItem, name: 'Чай', code: '7', quantity: 1.5, price: 10.5 },
  ])
  expect(await parseItems('<item/>')).toBeNull()
})

test('the first items of the courier are kept, up to the limit', async () => {
  const items = Array.from({ length: maxParcelItems + 5 }, (_, n) => `<item>Item ${n}</item>`).join('')
  const keptItems = Array.from({ length: maxParcelItems }, (_, n) => ({ ...emptyItem, name: `Item ${n}` }))
  expect(await parseItems(items)).toEqual(keptItems)
})

/** How often the event loop turns during the work. */
async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let next = setImmediate(function count() {
    turns += 1
    next = setImmediate(count)
  })
  await work()
  clearImmediate(next)
  return turns
}

test('other work runs while the orders and act lines of a large answer are converted', async () => {
  const open = (xml: string) => openMeasoft(account, async () => xml)
  const orders = open(`<a>${'<order/>'.repeat(3001)}</a>`)
  const lines = await open(`<a>${'<specialsma/>'.repeat(2001)}</a>`).fetchActLines('1')
  expect(await countTurns(() => orders.fetchChanges())).toBeGreaterThan(2)
  const fetchedOrders = await orders.fetchChanges()
  expect(await countTurns(() => parseCourierOrders(fetchedOrders, options))).toBeGreaterThan(2)
  expect(await countTurns(() => parseActLines(lines))).toBeGreaterThan(1)
})
