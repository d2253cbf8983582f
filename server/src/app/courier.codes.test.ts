import type { ParcelWithHistory } from '@karvon/contract/parcels/parcels.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi } from '../../test/app.ts'
import { createCourierFixture, type CourierFixture } from '../../test/courier.ts'
import { runSyncs } from '../../test/jobs.ts'
import { ago } from '../../test/moment.ts'

/** The vendor's codes and titles, our code, and the problem. */
const codes: readonly (readonly [raw: string, title: string, code: string, problem?: string])[] = [
  ['AWAITING_SYNC', 'Ожидание синхронизации', 'PENDING'],
  ['NEW', 'Новый', 'PENDING'],
  ['NEWPICKUP', 'Создан забор', 'PENDING'],
  ['PICKUP', 'Забран у отправителя', 'PROCESSING'],
  ['WMSASSEMBLED', 'Скомплектован на складе фулфилмента', 'PROCESSING'],
  ['WMSDISASSEMBLED', 'Разукомплектован на склад фулфилмента', 'PROCESSING'],
  ['ACCEPTED', 'Получен складом', 'PROCESSING'],
  ['CUSTOMSPROCESS', 'Производится таможенный контроль', 'PROCESSING'],
  ['CUSTOMSFINISHED', 'Таможенный контроль произведен', 'PROCESSING'],
  ['CONFIRM', 'Согласована доставка', 'PROCESSING'],
  ['UNCONFIRM', 'Не удалось согласовать доставку', 'PROCESSING', 'not_agreed'],
  ['INVENTORY', 'Инвентаризация', 'PROCESSING'],
  ['DEPARTURING', 'Планируется отправка', 'IN_TRANSIT'],
  ['DEPARTURE', 'Отправлено со склада', 'IN_TRANSIT'],
  ['TRANSACCEPTED', 'Прибыл на склад перевозчика', 'IN_TRANSIT'],
  ['PICKUPTRANS', 'Забран у перевозчика', 'IN_TRANSIT'],
  ['PICKUPREADY', 'Готов к выдаче', 'IN_TRANSIT'],
  ['DELIVERY', 'Выдан курьеру на доставку', 'IN_TRANSIT'],
  ['DATECHANGE', 'Перенос', 'IN_TRANSIT', 'postponed'],
  ['COURIERDELIVERED', 'Доставлен (предварительно)', 'IN_TRANSIT'],
  ['COURIERPARTIALLY', 'Частично доставлен (предварительно)', 'IN_TRANSIT'],
  ['COURIERCANCELED', 'Отказ (предварительно)', 'IN_TRANSIT', 'refused'],
  ['COURIERRETURN', 'Курьер вернул на склад', 'IN_TRANSIT', 'refused'],
  ['COMPLETE', 'Доставлен', 'DELIVERED'],
  ['PARTIALLY', 'Доставлен частично', 'DELIVERED'],
  ['CANCELED', 'Не доставлен (Возврат/Отмена)', 'RETURNED'],
  ['RETURNING', 'Планируется возврат', 'RETURNED'],
  ['RETURNED', 'Возвращен', 'RETURNED'],
  ['PARTLYRETURNING', 'Планируется возврат остатков', 'DELIVERED'],
  ['PARTLYRETURNED', 'Остаток возвращен', 'DELIVERED'],
  ['LOST', 'Утрачен/утерян', 'RETURNED', 'lost'],
  // An unknown code of the vendor keeps the parcel in transit with the vendor's title.
  ['BEAMED', 'Телепортирован', 'PROCESSING'],
]

const orderno = (raw: string) => `S-${raw}`
let fixture: CourierFixture

beforeAll(async () => {
  fixture = await createCourierFixture()
  await fixture.createAccount()
  const eventtime = `${ago(0).slice(0, 10)} 00:00:00`
  const details = { person: 'A', phone: '1', town: 'T', address: 'A', weight: '1', price: '1' }
  for (const [raw, title] of codes)
    fixture.fakeCourier.publish({
      orderno: orderno(raw),
      ...details,
      statuses: [{ code: raw, title, eventtime }],
    })
  await runSyncs(fixture.product.deps)
})

afterAll(() => fixture.close())

const rows = codes.map(([raw, title, code, problem = null]) => ({ raw, title, code, problem }))

test.each(rows)(
  'courier status $raw ($title) becomes $code, problem: $problem',
  async ({ raw, title, code, problem }) => {
    const { product, admin } = fixture
    const answer = await callApi(
      product.app,
      admin,
      'GET',
      `/api/parcel/parcels/all?orderno=${orderno(raw)}&limit=200`,
    )
    const { items } = answer.json<{ items: { id: number; orderno: string }[] }>()
    const id = items.find((item) => item.orderno === orderno(raw))?.id
    const parcelAnswer = await callApi(product.app, admin, 'GET', `/api/parcel/parcels/${id}`)
    expect(parcelAnswer.json<ParcelWithHistory>()).toMatchObject({
      status: { code, title },
      problem,
      history: [{ code, raw_code: raw, title }],
    })
  },
)
