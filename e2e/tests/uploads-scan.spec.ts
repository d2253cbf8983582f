import { variants } from '../src/extent.ts'
import { eicar, eicarSignature, startClamd, type FakeClamd } from '@karvon/testkit/fakes/clamd.ts'
import { startDesk, type Desk } from '../src/desk.ts'
import { openSigned } from '../src/keyboard.ts'
import { test as base, expect, expectSound } from '../src/test.ts'

const test = base.extend<object, { desk: Desk; clamd: FakeClamd }>({
  clamd: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const clamd = await startClamd()
      await use(clamd)
      await clamd.stop()
    },
    { scope: 'worker' },
  ],
  desk: [
    async ({ clamd }, use) => {
      const desk = await startDesk({ KARVON_CLAMAV: clamd.address })
      await use(desk)
      await desk.stop()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
})
test.use({ contextOptions: { reducedMotion: 'reduce' } })

const content = `%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n${eicar}`
const name = 'Заказы с вирусом.pdf'

test(
  'an upload that the scanner has not seen waits, and is refused once the scanner finds a virus',
  variants,
  async ({ page, api, clamd }) => {
    clamd.mode = 'drop'
    const form = new FormData()
    form.set('file', new File([content], name, { type: 'application/pdf' }))
    const answer = await api.call<{ sent_to_telegram: boolean }>('POST', '/api/parcel/files/upload/', form)
    expect(answer.sent_to_telegram).toBe(false)

    await openSigned(page, api, '/uploads')
    const row = page.getByRole('row').filter({ hasText: name })
    await expect(row).toContainText('Waits for the virus scanner')
    await expect(row.getByRole('button', { name: /^Retry/ })).toHaveCount(0)
    await expectSound(page, 'uploads waiting for the scanner', [
      [360, 'dark'],
      [360, 'light'],
      [1440, 'dark'],
      [1440, 'light'],
    ])

    clamd.mode = 'ok'
    await expect(row).toContainText(eicarSignature, { timeout: 30_000 })
    await expect(row).toContainText('Refused')
  },
)
