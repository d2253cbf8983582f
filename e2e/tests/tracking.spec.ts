import { variants } from '../src/extent.ts'
import type { Api } from '../src/api.ts'
import { storeSession } from '../src/bare.ts'
import { pressOn, typeInto } from '../src/keyboard.ts'
import { expect, expectAccessible, expectAccessibleLayout, test } from '../src/test.ts'

test.use({ expectedStatus: [404, 422, 429] })

const orderno = 'T/1 №'
const path = `/track/${encodeURIComponent(orderno)}`
const notFound =
  'Посылка с таким номером и такими цифрами телефона не найдена. Проверьте их и попробуйте ещё раз.'

async function bringParcel(api: Api): Promise<void> {
  const lines = [
    'orderno,status,event_time,person,phone,town',
    `${orderno},NEW,2026-11-19T10:00:00,Азиза,+998 (90) 123-45-67,Бухара`,
    `${orderno},COMPLETE,2026-11-20T10:00:00,,,`,
  ]
  const form = new FormData()
  form.set('file', new File([lines.join('\n')], 'parcels.csv'))
  await api.call('POST', '/api/admin/parcels/import/', form)
}

test(
  'a receiver tracks a parcel with the right digits, and wrong digits show an error',
  variants,
  async ({ page, api }) => {
    await bringParcel(api)
    await page.goto(api.url + path)
    await expect(page).toHaveTitle(`Посылка ${orderno} – Karvon Express`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Посылка ${orderno}`)
    const digits = page.getByLabel('Последние 4 цифры телефона')
    await typeInto(page, digits, '12')
    await page.keyboard.press('Enter')
    await expect(digits).toHaveAccessibleDescription('Введите четыре цифры')
    await typeInto(page, digits, '34567')
    await page.keyboard.press('Enter')
    await expect(digits).toHaveAccessibleDescription('Введите четыре цифры')
    await typeInto(page, digits, '4568')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert').filter({ hasText: notFound })).toBeVisible()
    await expectAccessible(page, 'wrong digits')

    await typeInto(page, digits, '4567')
    await page.keyboard.press('Enter')
    const parcelRegion = page.getByRole('region', { name: `Посылка ${orderno}` })
    await expect(parcelRegion).toBeFocused()
    await expect(parcelRegion.getByRole('listitem')).toHaveText([
      /^Доставлен20\.11\.2026 10:00/,
      /^Новый19\.11\.2026 10:00/,
    ])
    for (const personal of ['Азиза', 'Бухара', '123', '4567'])
      await expect(page.locator('body')).not.toContainText(personal)
    await expectAccessibleLayout(page, 'tracking', [
      [1440, 'light'],
      [360, 'dark'],
    ])

    await page.getByRole('link', { name: 'Другая посылка' }).click()
    await expect(page).toHaveURL(/\/track$/)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Найти посылку' }).click()
    await expect(page.getByLabel('Номер заказа')).toHaveAccessibleDescription('Введите номер заказа')
    await typeInto(page, page.getByLabel('Номер заказа'), orderno)
    await typeInto(page, digits, '45-67')
    await page.keyboard.press('Enter')
    await expect(parcelRegion).toContainText('Доставлен')
    await pressOn(page, page.getByRole('button', { name: 'Другая посылка' }))
    await expect(page.getByLabel('Номер заказа')).toBeFocused()
  },
)

test('the button of the tracking page keeps the focus when no parcel is found', async ({ page, api }) => {
  await page.goto(`${api.url}/track/unknown`)
  await typeInto(page, page.getByLabel('Последние 4 цифры телефона'), '1234')
  const button = page.getByRole('button', { name: 'Найти посылку' })
  await pressOn(page, button)
  await expect(page.getByRole('alert').filter({ hasText: notFound })).toBeVisible()
  await expect(button).toBeFocused()
})

test('tracking after too many tries shows how long to wait', async ({ page, api }) => {
  await page.goto(`${api.url}/track/many`)
  await typeInto(page, page.getByLabel('Последние 4 цифры телефона'), '1234')
  // Directly before, and until the first refusal: the first wait is one second.
  let status = 0
  for (let digits = 1000; status !== 429; digits += 1)
    status = (await fetch(`${api.url}/api/track/many?phone=${digits}`)).status
  await page.keyboard.press('Enter')
  await expect(
    page.getByRole('alert').filter({ hasText: /Слишком много попыток. Попробуйте снова через \d+ мин\./ }),
  ).toBeVisible()
})

test('a number that is too long keeps the focus at its field, and one in the address is not found', async ({
  page,
  api,
}) => {
  await page.goto(`${api.url}/track`)
  const number = page.getByLabel('Номер заказа')
  const digits = page.getByLabel('Последние 4 цифры телефона')
  await typeInto(page, number, '7'.repeat(101))
  await typeInto(page, digits, '4567')
  await page.keyboard.press('Enter')
  await expect(number).toBeFocused()

  await page.goto(`${api.url}/track/${'7'.repeat(101)}`)
  await typeInto(page, digits, '4567')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: notFound })).toBeVisible()

  await page.goto(`${api.url}/track/%20`)
  await expect(number).toBeVisible()
})

test('the tracking page opens with and without a session, and unknown paths below it lead to /login', async ({
  page,
  context,
  api,
}) => {
  await page.goto(`${api.url}/track`)
  await expect(page.getByRole('heading', { name: 'Отслеживание посылки' })).toBeVisible()
  await expect(page).toHaveURL(/\/track$/)
  await page.goto(`${api.url}/track/a/b`)
  await expect(page).toHaveURL(/\/login$/)

  // A signed-in person sees the page too, and stays there when another tab signs out.
  const tab = await context.newPage()
  await storeSession(tab, { token: api.session.access_token, user: api.session })
  await tab.goto(`${api.url}/track`)
  await expect(tab.getByLabel('Номер заказа')).toBeVisible()
  await page.goto(`${api.url}/parcels`)
  await expect(page).toHaveURL(/\/parcels/)
  await page.evaluate(() => localStorage.clear())
  await expect(tab.getByLabel('Номер заказа')).toBeVisible()
  await expect(tab).toHaveURL(/\/track$/)
})
