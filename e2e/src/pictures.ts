// Takes the screenshots of the docs from a running product: node e2e/src/pictures.ts
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { launchChromium } from './chromium.ts'
import { startTestProduct } from './product.ts'

const folder = join(import.meta.dirname, '..', '..', 'docs', 'pictures')
const pictures = [
  { path: '/parcels?sort=-town', colorScheme: 'light', name: 'parcels-light-1440.png' },
  { path: '/statistics', colorScheme: 'dark', name: 'statistics-dark-1440.png' },
] as const

const product = await startTestProduct({ KARVON_DEMO: 'on' })
const browser = await launchChromium()
try {
  await mkdir(folder, { recursive: true })
  for (const { path, colorScheme, name } of pictures) {
    const page = await browser.newPage({
      colorScheme,
      viewport: { width: 1440, height: 900 },
      locale: 'ru-RU',
      timezoneId: 'Asia/Tashkent',
    })
    await page.goto(`${product.url}/login`)
    await page.getByLabel('Имя пользователя').fill(product.admin.username)
    await page.getByLabel('Пароль').fill(product.admin.password)
    await page.getByRole('button', { name: 'Войти' }).click()
    await page.waitForURL('**/parcels*')
    await page.goto(product.url + path)
    await page.waitForLoadState('networkidle')
    if (path.startsWith('/parcels')) {
      await page.getByRole('row').nth(4).click()
      await page.getByText('История статусов').or(page.getByRole('list').last()).first().waitFor()
    }
    await page.waitForTimeout(500)
    await page.screenshot({ path: join(folder, name) })
    await page.close()
  }
} finally {
  await browser.close()
  await product.stopAndRemove()
}
