import type { Page } from '@playwright/test'
import { announceFeatures, expect, mockAnswer, test } from '../src/bare.ts'
import { presetLanguage, type Language } from '../src/languages.ts'

const file = { name: 'a.xlsx', mimeType: 'application/octet-stream', buffer: Buffer.from('PK') }
const toggle = (page: Page) =>
  page.getByRole('button', { name: /^(Загрузка заказов|Upload orders|Buyurtmalarni yuklash)$/ })

/** The Russian sentences of the server stay in the mix and in Russian. */
const delays: readonly [Language | null, string][] = [
  [null, 'Файл загружен, но не отправлен в Telegram: Telegram просит подождать 7 с, отправим позже'],
  ['ru', 'Файл загружен, но не отправлен в Telegram: Telegram просит подождать 7 с, отправим позже'],
  [
    'uz',
    'Fayl yuklandi, lekin Telegramga yuborilmadi: Telegram 7 s kutishni so‘ramoqda, keyinroq yuboriladi',
  ],
  ['en', 'The file was uploaded but not sent to Telegram: Telegram asks to wait 7 s, it will be sent later'],
]
for (const [language, text] of delays)
  test(`the reason why an upload was not sent is in the language ${language ?? 'of the mix'}`, async ({
    page,
    open,
  }) => {
    if (language !== null) await presetLanguage(page, language)
    const message = 'Telegram просит подождать 7 с, отправим позже'
    await mockAnswer(page, '/api/parcel/files/upload/', {
      body: { sent_to_telegram: false, message, code: 'telegram_pause', params: { seconds: 7 } },
    })
    await open('/parcels', 'buyer')
    await toggle(page).click()
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByRole('button', { name: /^(Загрузить|Upload|Yuklash)$/ }).click()
    await expect(page.getByText(text, { exact: true })).toBeVisible()
  })

const shortened = {
  row: 1,
  field: 'orderno',
  message: 'orderno has only the first digits of its number: 9.98901E+11',
  code: 'number_shortened',
  params: { label: 'orderno', number: '9.98901E+11' },
}
const faults: readonly [Language | null, string][] = [
  [null, 'Номер заказа: от числа остались первые цифры, 9.98901E+11: задайте столбцу текстовый формат'],
  [
    'uz',
    'Buyurtma raqami: sonning faqat birinchi raqamlari qolgan, 9.98901E+11: ustunga matn formatini bering',
  ],
  ['en', 'Order number: has only the first digits of its number, 9.98901E+11: format the column as text'],
]
for (const [language, text] of faults)
  test(`a shortened number of an order file is explained in the language ${language ?? 'of the mix'}`, async ({
    page,
    open,
  }) => {
    if (language !== null) await presetLanguage(page, language)
    await announceFeatures(page, 'order_previews')
    await mockAnswer(page, '/api/parcel/files/preview/', {
      body: {
        recognised: [{ heading: 'No', column: 'orderno' }],
        unrecognised: [],
        rows: [{ row: 1, values: { orderno: '9.98901E+11' } }],
        total: 1,
        skipped: 1,
        errors: [shortened],
      },
    })
    await open('/parcels', 'buyer')
    await toggle(page).click()
    await page.locator('input[type=file]').setInputFiles(file)
    await expect(page.getByText(text, { exact: true })).toBeVisible()
  })

test('a problem of a whole order file is in Russian while no language is picked', async ({ page, open }) => {
  await announceFeatures(page, 'order_previews')
  await mockAnswer(page, '/api/parcel/files/upload/', {
    body: {
      sent_to_telegram: true,
      message: 'OK',
      imported: 1000,
      skipped: 500,
      errors: [
        {
          row: 0,
          field: 'file',
          message: 'There was no time left for 500 orders: send the file again.',
          code: 'orders_out_of_time',
          params: { orders: 500 },
        },
      ],
    },
  })
  await open('/parcels', 'buyer')
  await toggle(page).click()
  await page.locator('input[type=file]').setInputFiles(file)
  await page.getByRole('button', { name: 'Загрузить', exact: true }).click()
  await expect(page.getByText('На 500 заказов не хватило времени: отправьте файл ещё раз.')).toBeVisible()
})
