import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { liveAccounts, openAccounts, tokenIn, type Accounts } from '../../../test/accounts.ts'

const program = fileURLToPath(new URL('../../../test/accounts-server.ts', import.meta.url))
const kills = 3

let desk: Accounts
const servers: ChildProcess[] = []
beforeAll(async () => {
  desk = await openAccounts()
})
afterEach(async () => {
  for (const each of servers.splice(0)) await killed(each)
})
afterAll(() => desk.close())

async function start(): Promise<{ child: ChildProcess; url: string }> {
  const { databaseUrl, deps } = desk.product
  const child = spawn(process.execPath, [program, databaseUrl], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ...liveAccounts(desk.smtp.url),
      KARVON_DATA: deps.config.dataFolder,
      KARVON_TIMEZONE: deps.config.timeZone,
    },
  })
  servers.push(child)
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, url: line.toString().trim() }
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

async function ask(url: string, email: string): Promise<number> {
  const answer = await fetch(`${url}/parcel/auth/forgot-password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  })
  return answer.status
}

test(
  'whoever was told that a mail comes gets one, however the process ended after that',
  { timeout: 180_000 },
  async () => {
    const emails: string[] = []
    for (let n = 0; n < kills; n += 1) {
      const email = `killed${n}@example.uz`
      await desk.person(`killed${n}`, email)
      const { child, url } = await start()
      // The process is killed before it looks up the address, and during the SMTP session.
      desk.smtp.mode = n % 2 === 0 ? 'slow' : 'busy'
      desk.smtp.delay = 2000
      const before = desk.smtp.connections
      expect(await ask(url, email)).toBe(202)
      if (n > 0) {
        await expect
          .poll(() => desk.smtp.connections, { timeout: 30_000, interval: 5 })
          .toBeGreaterThan(before)
        await sleep(n * 10)
      }
      await killed(child)
      emails.push(email)
    }
    desk.smtp.mode = 'ok'
    // Ends the leases of killed processes, so that the test does not wait for them.
    await desk.query('update reset_mails set leased_until = null, next_at = now()')
    await start()
    const sent = () => desk.query(`select 1 from reset_mails where status = 'sent'`)
    await expect.poll(async () => (await sent()).length, { timeout: 45_000, interval: 100 }).toBe(kills)
    const came = new Map(desk.smtp.accepted.map(({ to, text }) => [to[0], tokenIn(text)]))
    expect(new Set(came.keys())).toEqual(new Set(emails))
    for (const email of emails) {
      const body = { token: came.get(email), password: 'sovsem-novyy' }
      expect((await desk.post('reset-password', body)).statusCode, email).toBe(200)
    }
  },
)
