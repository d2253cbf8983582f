import { setTimeout as sleep } from 'node:timers/promises'
import type { NodeProcess } from '@karvon/testkit/node-process.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { buildAccountsEnv, openAccounts, getMailedToken, type Accounts } from '../../../test/accounts.ts'
import { startTestServer } from '../../../test/worker.ts'

const kills = 3

let fixture: Accounts
const servers: NodeProcess[] = []
beforeAll(async () => {
  fixture = await openAccounts()
})
afterEach(async () => {
  for (const server of servers.splice(0)) await server.kill()
})
afterAll(() => fixture.close())

async function start(): Promise<NodeProcess> {
  const server = await startTestServer('accounts-server', fixture.product, buildAccountsEnv(fixture.smtp.url))
  servers.push(server)
  return server
}

async function ask(url: string, email: string): Promise<number> {
  const answer = await fetch(`${url}/parcel/auth/forgot-password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  })
  return answer.status
}

test('a person who was promised a mail gets one, whenever the process is killed after that', async () => {
  const emails: string[] = []
  for (let n = 0; n < kills; n += 1) {
    const email = `killed${n}@example.uz`
    await fixture.createPerson(`killed${n}`, email)
    const server = await start()
    // The process is killed before it looks up the address, and during the SMTP session.
    fixture.smtp.mode = n % 2 === 0 ? 'slow' : 'busy'
    fixture.smtp.delay = 2000
    const before = fixture.smtp.connections
    expect(await ask(server.url, email)).toBe(202)
    if (n > 0) {
      await expect.poll(() => fixture.smtp.connections, { interval: 5 }).toBeGreaterThan(before)
      await sleep(n * 10)
    }
    await server.kill()
    emails.push(email)
  }
  fixture.smtp.mode = 'ok'
  // Ends the leases of killed processes, so that the test does not wait for them.
  await fixture.query('update reset_mails set leased_until = null, next_at = now()')
  await start()
  const readSentMails = () => fixture.query(`select 1 from reset_mails where status = 'sent'`)
  await expect.poll(async () => (await readSentMails()).length, { interval: 100 }).toBe(kills)
  const tokens = new Map(fixture.smtp.accepted.map(({ to, text }) => [to[0], getMailedToken(text)]))
  expect(new Set(tokens.keys())).toEqual(new Set(emails))
  for (const email of emails) {
    const body = { token: tokens.get(email), password: 'sovsem-novyy' }
    expect((await fixture.post('reset-password', body)).statusCode, email).toBe(200)
  }
})
