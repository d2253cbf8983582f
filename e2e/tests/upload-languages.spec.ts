import type { Page } from '@playwright/test'
import { expect, mockAnswer, test } from '../src/bare.ts'
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
