import { startSmtp, type FakeSmtp } from '@karvon/testkit/fakes/smtp.ts'
import { startTestProduct, type Product } from './product.ts'
import { expect, test as base } from './test.ts'

/** Tests with a product that has registration, password reset and bulk changes enabled, and with its mail server. */
export const test = base.extend<object, { product: Product; smtp: FakeSmtp }>({
  smtp: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const smtp = await startSmtp()
      await use(smtp)
      await smtp.close()
    },
    { scope: 'worker' },
  ],
  product: [
    async ({ smtp }, use) => {
      const product = await startTestProduct({
        KARVON_REGISTRATION: 'live',
        KARVON_PASSWORD_RESET: 'live',
        KARVON_BULK_USERS: 'live',
        KARVON_SMTP_URL: smtp.url,
        KARVON_MAIL_FROM: 'Karvon Express <desk@example.uz>',
        KARVON_PUBLIC_URL: publicUrl,
      })
      await use(product)
      await product.stopAndRemove()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
})

export { expect }

/** The address in mailed links. The port of the product is not known before its start. */
const publicUrl = 'https://desk.example.uz'

/** Waits for a mail and returns its link with the address of the test product. */
export async function waitForLink(
  smtp: FakeSmtp,
  product: Product,
  email: string,
  earlierCount = 0,
): Promise<string> {
  const mails = () => smtp.accepted.filter(({ to }) => to[0] === email)
  await expect.poll(() => mails().length, { timeout: 30_000 }).toBeGreaterThan(earlierCount)
  const [link = ''] = /https:\/\/desk\.example\.uz\S+/.exec(mails().at(-1)?.text ?? '') ?? []
  return link.replace(publicUrl, product.url)
}
