import { variants } from '../src/extent.ts'
import { eicar, eicarSignature, startClamd, type FakeClamd } from '@karvon/testkit/fakes/clamd.ts'
import { startTestProduct, type Product } from '../src/product.ts'
import { openSignedIn } from '../src/keyboard.ts'
import { allAppearances, test as base, expect, expectAccessibleLayout } from '../src/test.ts'

const test = base.extend<object, { product: Product; clamd: FakeClamd }>({
  clamd: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const clamd = await startClamd()
      await use(clamd)
      await clamd.stop()
    },
    { scope: 'worker' },
  ],
  product: [
    async ({ clamd }, use) => {
      const product = await startTestProduct({ KARVON_CLAMAV: clamd.address })
      await use(product)
      await product.stopAndRemove()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
})

const content = `%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n${eicar}`
const name = 'Заказы с вирусом.pdf'

test(
  'an upload waits while the scanner is away, and is refused once the scanner finds a virus',
  variants,
  async ({ page, api, clamd }) => {
    clamd.mode = 'drop'
    const form = new FormData()
    form.set('file', new File([content], name, { type: 'application/pdf' }))
    const answer = await api.call<{ sent_to_telegram: boolean }>('POST', '/api/parcel/files/upload/', form)
    expect(answer.sent_to_telegram).toBe(false)

    await openSignedIn(page, api, '/uploads')
    const row = page.getByRole('row').filter({ hasText: name })
    await expect(row).toContainText('Waits for the virus scanner')
    await expect(row.getByRole('button', { name: /^Retry/ })).toHaveCount(0)
    await expectAccessibleLayout(page, 'uploads waiting for the scanner', allAppearances)

    clamd.mode = 'ok'
    await expect(row).toContainText(eicarSignature, { timeout: 30_000 })
    await expect(row).toContainText('Refused')
  },
)
