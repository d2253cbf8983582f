import { startSmtp } from '@karvon/testkit/fakes/smtp.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openAccounts, tokenIn, type Accounts } from '../../../test/accounts.ts'
import { MailError } from '../../platform/mail/mail.error.ts'
import { openMailer } from '../../platform/mail/mail.ts'

let desk: Accounts
beforeAll(async () => {
  desk = await openAccounts()
  await desk.person('dilnoza', 'dilnoza@example.uz')
})
afterAll(() => desk.close())
beforeEach(async () => {
  desk.smtp.mode = 'ok'
  desk.smtp.accepted.splice(0)
  await desk.query('delete from reset_mails')
})

const queue = async () =>
  (
    await desk.query(
      'select status, attempts, unsure, last_error, sent_at is not null as sent from reset_mails',
    )
  )[0]
const works = async (token: string | undefined) =>
  (await desk.post('reset-password', { token, password: 'sovsem-novyy' })).statusCode === 200

test('a mail reads as it should', async () => {
  await desk.asked('dilnoza@example.uz')
  const [mail] = desk.smtp.accepted
  expect(mail?.headers).toMatch(/^From: "?Karvon Express"? <desk@example\.uz>\r$/m)
  expect(mail?.headers).toMatch(/^To: dilnoza@example\.uz\r$/m)
  expect(mail?.headers).toMatch(/^Auto-Submitted: auto-generated\r$/m)
  expect(mail?.headers).toMatch(/^Content-Type: text\/plain; charset=utf-8\r?$/m)
  expect(mail?.headers).not.toMatch(/nodemailer \(/)
  expect(mail?.text).toContain('Для пользователя dilnoza запрошен новый пароль.')
  expect(await queue()).toMatchObject({ status: 'sent', attempts: 1, last_error: null, sent: true })
})

describe('on a bad day', () => {
  test.each([
    ['busy', 'The mail server answered 450 4.2.0 to RCPT TO', false],
    ['greylist', 'The mail server answered 451 4.7.1 to RCPT TO', false],
    ['echo', 'The mail server answered 451 4.3.0 to DATA', false],
    ['drop', 'The mail server could not be reached (ECONNECTION)', true],
  ] as const)('%s, the mail waits and goes out later', async (mode, reason, unsure) => {
    desk.smtp.mode = mode
    expect(await desk.asked('dilnoza@example.uz')).toEqual([])
    expect(await queue()).toMatchObject({ status: 'queued', attempts: 1, unsure })
    expect((await queue())?.last_error).toMatch(unsure ? /^The mail server could not be reached/ : reason)
    await desk.run('reset-mails', 'asIs')
    expect((await queue())?.attempts).toBe(1)
    if (mode !== 'greylist') desk.smtp.mode = 'ok'
    await desk.run()
    expect(await queue()).toMatchObject({ status: 'sent', attempts: 2 })
    expect(await works(tokenIn(desk.smtp.accepted[0]?.text ?? ''))).toBe(true)
  })

  test('when nobody knows whether it arrived, it is sent again and both links are good', async () => {
    desk.smtp.mode = 'lost'
    const [first] = await desk.asked('dilnoza@example.uz')
    expect(await queue()).toMatchObject({ status: 'queued', unsure: true })
    desk.smtp.mode = 'ok'
    await desk.run()
    const second = tokenIn(desk.smtp.accepted[1]?.text ?? '')
    expect(second).not.toBe(first)
    expect(await desk.query('select count(*) as n from reset_links')).toEqual([{ n: 2 }])
    expect([await works(first), await works(second)]).toEqual([true, false])
  })

  test.each([
    ['unknown', 'The mail server answered 550 5.1.1 to RCPT TO'],
    ['spam', 'The mail server answered 554 5.7.1 to DATA'],
  ] as const)('%s, it is given up at once', async (mode, last_error) => {
    desk.smtp.mode = mode
    await desk.asked('dilnoza@example.uz')
    expect(await queue()).toMatchObject({ status: 'refused', last_error })
  })

  test('a mail server that is down loses nothing', async () => {
    const { port } = desk.smtp
    await desk.smtp.close()
    await desk.asked('dilnoza@example.uz')
    expect(await queue()).toMatchObject({ status: 'queued', attempts: 1, unsure: false })
    const again = await startSmtp(undefined, { port })
    try {
      await desk.run()
      expect(await queue()).toMatchObject({ status: 'sent', attempts: 2 })
      expect(again.accepted.map(({ to }) => to)).toEqual([['dilnoza@example.uz']])
    } finally {
      await again.close()
      desk.smtp = await startSmtp(undefined, { port })
    }
  })

  test('what could not be sent for a day is given up', async () => {
    desk.smtp.mode = 'busy'
    await desk.asked('dilnoza@example.uz')
    await desk.query(`update reset_mails set created_at = now() - interval '25 hours'`)
    desk.smtp.mode = 'ok'
    await desk.run()
    expect(await queue()).toMatchObject({ status: 'refused' })
    expect(desk.smtp.accepted).toEqual([])
  })

  test('an address that a server could read as another gets no mail, and holds up no other', async () => {
    const hostile = [
      'a@b.uz\r\nRCPT TO:<evil@example.uz>',
      'a@b.uz,evil@example.uz',
      '"evil@example.uz x"@b.uz',
      'a <evil@example.uz>',
      'evil@example.uz\r\n\r\nHello',
    ]
    for (const [n, email] of hostile.entries()) {
      const { id } = await desk.person(`hostile${n}`, `h${n}@example.uz`)
      await desk.query('update users set email = $1, username = $2 where id = $3', [
        email,
        `x${n}\r\n\r\nhttps://evil.example/\u2028now`,
        id,
      ])
    }
    await desk.query(`insert into reset_mails (user_id) select id from users where username like 'x%'`)
    await desk.query(`insert into reset_mails (user_id) select id from users where username = 'dilnoza'`)
    const { id } = await desk.person('odd-name', 'odd@example.uz')
    await desk.query(`update users set username = $1 where id = $2`, ['y\r\n\r\nhttps://evil.example/', id])
    await desk.query(`insert into reset_mails (user_id) values ($1)`, [id])
    await desk.run()
    expect(desk.smtp.accepted.map(({ to }) => to)).toEqual([['dilnoza@example.uz'], ['odd@example.uz']])
    expect(desk.smtp.accepted[1]?.text).toContain('Для пользователя y https://evil.example/ запрошен')
    const refused = await desk.query(`select last_error from reset_mails where status = 'refused'`)
    // They are rejected before the connection to a mail server.
    expect(refused).toEqual(hostile.map(() => ({ last_error: 'No mail can be written to this address' })))
    expect(JSON.stringify(desk.smtp.accepted)).not.toContain('evil@')
  })
})

describe('the mail server', () => {
  const mail = { to: 'a@example.uz', subject: 'x', text: 'x' }
  const from = { name: '', address: 'desk@example.uz' }
  const sending = (url: string, signal = new AbortController().signal) =>
    openMailer(url, from)
      .send(mail, signal)
      .then(
        () => 'sent' as const,
        (error: unknown) => {
          if (error instanceof MailError) return error.failure
          throw error
        },
      )

  test('is told a password over a plain line on this machine alone', async () => {
    const here = await startSmtp()
    const elsewhere = await startSmtp(undefined, { host: '127.0.0.2' })
    try {
      expect(await sending(here.url)).toBe('sent')
      expect(here.passwords).toEqual(['desk-password'])
      expect(await sending(elsewhere.url)).toMatchObject({ kind: 'temporary' })
      expect([elsewhere.connections, elsewhere.passwords, elsewhere.accepted]).toEqual([1, [], []])
    } finally {
      await Promise.all([here.close(), elsewhere.close()])
    }
  })

  test('that does not take the password is for the operator to mend', async () => {
    const server = await startSmtp({ user: 'desk', pass: 'another' })
    try {
      const trouble = await sending(server.url.replace('another', 'wrong%20one'))
      expect(trouble).toMatchObject({ kind: 'temporary', mayHaveArrived: false })
      expect(trouble).toHaveProperty('reason', expect.stringMatching(/^The mail server answered 535 5\.7\.8/))
      expect(server.passwords).toEqual(['wrong one'])
    } finally {
      await server.close()
    }
  })

  test('that never ends is left', async () => {
    const server = await startSmtp(null)
    server.mode = 'hang'
    try {
      const timeout = new AbortController()
      const sent = sending(server.url, timeout.signal)
      await expect.poll(() => server.connections, { timeout: 30_000 }).toBe(1)
      timeout.abort()
      expect(await sent).toEqual({
        kind: 'temporary',
        reason: 'The mail server did not answer in time',
        mayHaveArrived: true,
      })
    } finally {
      await server.close()
    }
  })
})
