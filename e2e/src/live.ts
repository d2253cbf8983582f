import { startSmtp, type FakeSmtp } from '@karvon/testkit/fakes/smtp.ts'
import { startDesk, type Desk } from './desk.ts'
import { expect, test as base } from './test.ts'

/** Journeys on a desk that switches everything on, with the mail server that it uses. */
export const test = base.extend<object, { desk: Desk; smtp: FakeSmtp }>({
  smtp: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const smtp = await startSmtp()
      await use(smtp)
      await smtp.close()
    },
    { scope: 'worker' },
  ],
  desk: [
    async ({ smtp }, use) => {
      const desk = await startDesk({
        KARVON_REGISTRATION: 'live',
        KARVON_PASSWORD_RESET: 'live',
        KARVON_BULK_USERS: 'live',
        KARVON_SMTP_URL: smtp.url,
        KARVON_MAIL_FROM: 'Karvon Express <desk@example.uz>',
        KARVON_PUBLIC_URL: publicUrl,
      })
      await use(desk)
      await desk.stop()
    },
    { scope: 'worker', timeout: 60_000 },
  ],
})

export { expect }

/** Where links in mails lead. The port of a test's desk is not known before it starts. */
const publicUrl = 'https://desk.example.uz'

/** The address in the newest mail to somebody, at the desk of the test; waits until it came. */
export async function linkFor(smtp: FakeSmtp, desk: Desk, email: string, earlier = 0): Promise<string> {
  const mails = () => smtp.accepted.filter(({ to }) => to[0] === email)
  await expect.poll(() => mails().length, { timeout: 30_000 }).toBeGreaterThan(earlier)
  const [link = ''] = /https:\/\/desk\.example\.uz\S+/.exec(mails().at(-1)?.text ?? '') ?? []
  return link.replace(publicUrl, desk.url)
}
