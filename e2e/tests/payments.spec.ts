import type { Page } from '@playwright/test'
import { variants } from '../src/extent.ts'
import { announceFeatures, mockAnswer, test } from '../src/bare.ts'
import { pressOn } from '../src/keyboard.ts'
import { expect, expectAccessibleLayout, signIn } from '../src/test.ts'

const rows = (page: Page) => page.locator('tr[data-key]')
const rowOf = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

const getTimeDaysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000).toISOString()

test(
  'payments of parcels are shown in the list and the detail, and filtered by settlement, pay type and courier',
  variants,
  async ({ page, api }) => {
    const { password } = await api.newPerson('payer')
    const lines = [
      'orderno,cod_amount,pay_type,declared_value,items,courier_code,courier_name,courier_phone,status,event_time,owner',
      `PAY-1,250000,CASH,300000,Чайник * 2,17,Жасур Рахимов,+998901112233,COMPLETE,${getTimeDaysAgo(40)},payer`,
      `PAY-2,120000.5,CARD,130000,Кружка,18,Отабек,+998901112244,COMPLETE,${getTimeDaysAgo(1)},payer`,
      `PAY-3,0,NO,50000,Термос,17,Жасур Рахимов,+998901112233,DELIVERY,${getTimeDaysAgo(1)},payer`,
    ]
    const form = new FormData()
    form.set('file', new File([lines.join('\n')], 'payments.csv'))
    expect(await api.call('POST', '/api/admin/parcels/import/', form)).toMatchObject({
      imported: 3,
      skipped: 0,
    })
    await page.setViewportSize({ width: 1440, height: 900 })
    await signIn(page, api.url, 'payer', password)

    await page.goto(`${api.url}/parcels?period=any`)
    await expect(rows(page)).toHaveCount(3)
    await expect(rowOf(page, 'PAY-1')).toContainText('250 000Наличные')
    await expect(rowOf(page, 'PAY-1')).toContainText('Жасур Рахимов')
    await page
      .getByRole('columnheader', { name: /^К получению/ })
      .getByRole('button')
      .click()
    await expect(page).toHaveURL(/sort=cod_amount/)
    await expect(rows(page).first()).toContainText('PAY-3')

    await pressOn(page, button(page, 'Не рассчитаны'))
    await expect(page).toHaveURL(/unsettled=/)
    await expect(rows(page)).toHaveCount(1)
    await expect(rowOf(page, 'PAY-1')).toBeVisible()
    await button(page, 'Любой срок').click()
    await expect(rows(page)).toHaveCount(2)
    await pressOn(page, button(page, 'Оплата'))
    await button(page, 'Карта').click()
    await expect(page).toHaveURL(/pay_type=CARD/)
    await expect(rows(page)).toHaveCount(1)
    await page.reload()
    await expect(rowOf(page, 'PAY-2')).toBeVisible()
    await expect(rows(page)).toHaveCount(1)
    await button(page, 'Оплата').click()
    await button(page, 'Не рассчитаны').click()
    await expect(rows(page)).toHaveCount(3)

    await expectAccessibleLayout(page, 'payments', [
      [1440, 'dark'],
      [360, 'light'],
    ])
    await page.setViewportSize({ width: 1440, height: 900 })

    await rowOf(page, 'PAY-1').getByRole('cell').first().click()
    const detail = page.getByRole('region', { name: 'PAY-1' })
    await expect(detail).toContainText('К получению250 000 сум, Наличные')
    await expect(detail).toContainText('Объявленная ценность300 000 сум')
    await expect(detail).toContainText('Чайник × 2')
    await expect(detail.getByRole('link', { name: '+998901112233' })).toHaveAttribute(
      'href',
      'tel:+998901112233',
    )
    await pressOn(page, detail.getByRole('button', { name: 'Все посылки курьера' }))
    await expect(page).toHaveURL(/courier=/)
    await expect(rows(page)).toHaveCount(2)
    await button(page, 'Курьер 17').click()
    await expect(rows(page)).toHaveCount(3)
  },
)

const paidParcel = {
  id: 1,
  orderno: 'ORD-1',
  cod_amount: 77_777,
  pay_type: 'CASH',
  courier: { name: 'Жасур' },
  items: [{ name: 'Чайник' }],
}

test('a host that does not announce payments shows none, and its list sends no filter by them', async ({
  page,
  open,
  bare,
}) => {
  await mockAnswer(page, '/api/parcel/parcels/1', { body: paidParcel })
  const undo = await mockAnswer(page, '/api/parcel/parcels/all?*', {
    body: { items: [paidParcel], meta: { total: 1 } },
  })
  await open('/parcels?id=1', 'buyer')
  await expect(rowOf(page, 'ORD-1')).toBeVisible()
  await expect(page.getByText('77 777')).toHaveCount(0)
  await expect(page.getByText('Жасур')).toHaveCount(0)
  await expect(button(page, 'Оплата')).toHaveCount(0)
  await undo()
  await open('/parcels?unsettled=7&pay_type=CASH&courier=17', 'buyer')
  await expect(rows(page)).not.toHaveCount(0)
  const query = bare.calls.findLast(({ path }) => path === '/api/parcel/parcels/all')?.query ?? {}
  expect(Object.keys(query).toSorted()).toEqual(['date_from', 'date_to', 'limit', 'page'])
})

test('a list whose answer has no payments is shown without them on a host that announces payments', async ({
  page,
  open,
}) => {
  await announceFeatures(page, 'cash_on_delivery')
  await open('/parcels', 'buyer')
  await expect(rows(page)).not.toHaveCount(0)
  await expect(page.getByRole('columnheader', { name: /^К получению/ })).toHaveCount(1)
  await rows(page).first().click()
  await expect(page.getByText('Navoi 1')).toBeVisible()
  await expect(page.getByText('Объявленная ценность')).toHaveCount(0)
})
