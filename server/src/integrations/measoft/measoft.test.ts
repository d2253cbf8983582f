import { expect, test } from 'vitest'
import { openMeasoft } from './measoft.ts'

const account = { url: 'https://courier.example', extra: '8', login: 'karvon', pass: 'secret' }

const answering = (xml: string) => openMeasoft(account, async () => xml)

const eventsOf = async (statuses: string) =>
  (
    await answering(`<statusreq count="1"><order orderno="1">${statuses}</order></statusreq>`).fetchChanges()
  )[0]?.events

test.each([
  [
    'the branch’s time',
    'eventtime="2026-11-20 10:00:00" createtimegmt="2026-11-20 04:00:00"',
    '2026-11-20 10:00:00',
  ],
  ['GMT where there is no other', 'createtimegmt="2026-11-20 04:00:00"', '2026-11-20 04:00:00Z'],
  ['GMT with its zone', 'createtimegmt="2026-11-20T04:00:00Z"', '2026-11-20T04:00:00Z'],
  ['GMT with its difference', 'createtimegmt="2026-11-20T04:00:00+00:00"', '2026-11-20T04:00:00+00:00'],
  [
    'GMT where the other is empty',
    'eventtime=" " createtimegmt="2026-11-20 04:00:00"',
    '2026-11-20 04:00:00Z',
  ],
  [
    'GMT where the other is zero',
    'eventtime="0000-00-00 00:00:00" createtimegmt="2026-11-20 04:00:00"',
    '2026-11-20 04:00:00Z',
  ],
  ['not known where both are missing', 'createtimegmt="0000-00-00"', null],
])('the time of a courier event is %s', async (_what, attributes, time) => {
  expect(await eventsOf(`<status ${attributes} title="Новый">NEW</status>`)).toEqual([
    { code: 'NEW', title: 'Новый', time },
  ])
})

test('a courier event without a title has its code as title, and one without a code is ignored', async () => {
  const at = 'eventtime="2026-11-20 10:00:00"'
  const history = `<statushistory><status ${at} title="">NEW</status><status ${at}/></statushistory>`
  const event = { code: 'NEW', title: 'NEW', time: '2026-11-20 10:00:00' }
  expect(await eventsOf(`<status ${at}>NEW</status>${history}`)).toEqual([event, event])
})

test('an order of the courier has the amount to collect, the courier and the items', async () => {
  const order = `<paytype>CARD</paytype><price>150000.50</price><inshprice>200000</inshprice>
    <courier><code>17</code><name>Жасур</name><phone>+998901112233</phone></courier>
    <items><item code="2" article="A-1" barcode="" quantity="3" mass="0.25" retprice="50000.00" VATrate="0">Чайник</item>
    <item><quantity>1</quantity></item></items>`
  const [change] = await answering(
    `<statusreq count="1"><order orderno="1">${order}</order></statusreq>`,
  ).fetchChanges()
  expect(change).toMatchObject({
    cod_amount: '150000.50',
    pay_type: 'CARD',
    declared_value: '200000',
    courier_code: '17',
    courier_name: 'Жасур',
    courier_phone: '+998901112233',
    items: [
      {
        name: 'Чайник',
        code: '2',
        article: 'A-1',
        barcode: null,
        quantity: '3',
        weight: '0.25',
        price: '50000.00',
      },
      { name: null, quantity: '1', price: null },
    ],
  })
})

test('spaces around values of the courier are no part of them, also in CDATA', async () => {
  const order = `<receiver><person><![CDATA[ Али & Вали\n]]></person><town><![CDATA[ ]]></town></receiver>
    <price><![CDATA[ 150000.50 ]]></price>
    <status eventtime="2026-11-20 10:00:00" title="Доставлен"><![CDATA[ COMPLETE ]]></status>`
  const [change] = await answering(
    `<statusreq count="1"><order orderno=" A-1 ">${order}</order></statusreq>`,
  ).fetchChanges()
  expect(change).toMatchObject({
    orderno: 'A-1',
    person: 'Али & Вали',
    town: null,
    cod_amount: '150000.50',
    events: [{ code: 'COMPLETE' }],
  })
})

test('an empty attribute of the courier is missing, and the element with the same value is read', async () => {
  const [change] = await answering(
    `<statusreq count="1"><order orderno=""><orderno>A-2</orderno>
      <deliveryprice total="" delivery="" return="">15000</deliveryprice></order></statusreq>`,
  ).fetchChanges()
  expect(change).toMatchObject({ orderno: 'A-2', delivery_price: '15000' })
})

test('an order of the courier without a payment has empty values', async () => {
  const [change] = await answering(
    '<statusreq count="1"><order orderno="1"><courier/><items/></order></statusreq>',
  ).fetchChanges()
  expect(change).toMatchObject({
    cod_amount: null,
    pay_type: null,
    declared_value: null,
    courier_code: null,
    courier_name: null,
    courier_phone: null,
    items: [],
  })
})

test.each([
  ['fewer orders than it counts', '<statusreq count="2"><order orderno="1"/></statusreq>', 'cut off'],
  ['a grouped count', '<statusreq count="1 000"><order orderno="1"/></statusreq>', '1000 orders'],
  ['half an answer', '<statusreq count="1"><order orderno="1">', 'cut off'],
  ['no XML', 'Технические работы', 'not XML'],
  ['nothing', '', ''],
  ['entities of its own', '<!DOCTYPE a [<!ENTITY b "c">]><statusreq count="0"/>', 'document type'],
  ['an error', '<statusreq error="1" errormsg="Access denied" errormsgru="Нет доступа"/>', 'Нет доступа'],
  ['an error inside', '<statusreq><error error="25" errormsg="Access denied"/></statusreq>', 'Access denied'],
])('a courier answer with %s is an error', async (_what, xml, message) => {
  await expect(answering(xml).fetchChanges()).rejects.toThrow(message)
  await expect(answering(xml).fetchChanges()).rejects.toMatchObject({ name: 'CourierError' })
})

test.each(['', ' count=""', ' count="many"', ' count=" 1 "'])(
  'the orders of an answer with the attribute "%s" are read',
  async (count) => {
    const changes = await answering(`<statusreq${count}><order orderno="1"/></statusreq>`).fetchChanges()
    expect(changes).toMatchObject([{ orderno: '1' }])
  },
)

test('a long refusal of the courier is cut to a text that the database can store', async () => {
  const xml = `<statusreq error="1" errormsg="${'x'.repeat(298)}👍x"/>`
  await expect(answering(xml).fetchChanges()).rejects.toMatchObject({
    reason: { params: { message: `${'x'.repeat(298)}\uFFFD…` } },
  })
})
