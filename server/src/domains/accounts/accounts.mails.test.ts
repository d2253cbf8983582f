import { startSmtp } from '@karvon/testkit/fakes/smtp.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openAccounts, getMailedToken, type Accounts } from '../../../test/accounts.ts'
import { MailError } from '../../platform/mail/mail.error.ts'
import { openMailer } from '../../platform/mail/mail.ts'

let fixture: Accounts
beforeAll(async () => {
  fixture = await openAccounts()
  await fixture.createPerson('dilnoza', 'dilnoza@example.uz')
})
afterAll(() => fixture.close())
beforeEach(async () => {
  fixture.smtp.mode = 'ok'
  fixture.smtp.accepted.splice(0)
  await fixture.query('delete from reset_mails')
})

const queue = async () =>
  (
    await fixture.query(
      'select status, attempts, unsure, last_error, sent_at is not null as sent from reset_mails',
    )
  )[0]
const works = async (token: string | undefined) =>
  (await fixture.post('reset-password', { token, password: 'sovsem-novyy' })).statusCode === 200

test('a reset mail has its sender, receiver, subject, text and link', async () => {
  await fixture.requestResetTokens('dilnoza@example.uz')
  const [mail] = fixture.smtp.accepted
  expect(mail?.headers).toMatch(/^From: "?Karvon Express"? <desk@example\.uz>\r$/m)
  expect(mail?.headers).toMatch(/^To: dilnoza@example\.uz\r$/m)
  expect(mail?.headers).toMatch(/^Auto-Submitted: auto-generated\r$/m)
  expect(mail?.headers).toMatch(/^Content-Type: text\/plain; charset=utf-8\r?$/m)
  expect(mail?.headers).not.toMatch(/nodemailer \(/)
  expect(mail?.text).toContain('Для пользователя dilnoza запрошен новый пароль.')
  expect(await queue()).toMatchObject({ status: 'sent', attempts: 1, last_error: null, sent: true })
})

test('a reset mail and a mail about a change are in the language of the person', async () => {
  for (const [language, subject, changeText] of [
    ['en', 'Karvon Express: a new password', 'User dilnoza: the password was changed.'],
    ['uz', 'Karvon Express: yangi parol', 'dilnoza foydalanuvchisi: parol o‘zgartirildi.'],
  ] as const) {
    await fixture.query('delete from account_mails')
    await fixture.query(`update users set language = '${language}' where username = 'dilnoza'`)
    const [token] = await fixture.requestResetTokens('dilnoza@example.uz')
    const [mail] = fixture.smtp.accepted.splice(0)
    expect(mail?.headers).toContain(`Subject: ${subject}\r\n`)
    expect(await works(token)).toBe(true)
    await fixture.runJob('account-mails')
    expect(fixture.smtp.accepted.splice(0).map(({ text }) => text.split('\n')[2]?.trim())).toEqual([
      changeText,
    ])
  }
  await fixture.query(`update users set language = null`)
})

describe('Mail failures', () => {
  test.each([
    ['busy', 'The mail server answered 450 4.2.0 to RCPT TO', false],
    ['greylist', 'The mail server answered 451 4.7.1 to RCPT TO', false],
    ['echo', 'The mail server answered 451 4.3.0 to DATA', false],
    ['drop', 'The mail server could not be reached (ECONNECTION)', true],
  ] as const)('%s, the mail waits and is sent later', async (mode, reason, unsure) => {
    fixture.smtp.mode = mode
    expect(await fixture.requestResetTokens('dilnoza@example.uz')).toEqual([])
    expect(await queue()).toMatchObject({ status: 'queued', attempts: 1, unsure })
    expect((await queue())?.last_error).toMatch(unsure ? /^The mail server could not be reached/ : reason)
    await fixture.runJob('reset-mails', 'asIs')
    expect((await queue())?.attempts).toBe(1)
    if (mode !== 'greylist') fixture.smtp.mode = 'ok'
    await fixture.runJob()
    expect(await queue()).toMatchObject({ status: 'sent', attempts: 2 })
    expect(await works(getMailedToken(fixture.smtp.accepted[0]?.text ?? ''))).toBe(true)
  })

  test('a mail whose delivery is unknown is sent again, and both links work', async () => {
    fixture.smtp.mode = 'lost'
    const [first] = await fixture.requestResetTokens('dilnoza@example.uz')
    expect(await queue()).toMatchObject({ status: 'queued', unsure: true })
    fixture.smtp.mode = 'ok'
    await fixture.runJob()
    const second = getMailedToken(fixture.smtp.accepted[1]?.text ?? '')
    expect(second).not.toBe(first)
    expect(await fixture.query('select count(*) as n from reset_links')).toEqual([{ n: 2 }])
    expect([await works(first), await works(second)]).toEqual([true, false])
  })

  test.each([
    ['unknown', 'The mail server answered 550 5.1.1 to RCPT TO'],
    ['spam', 'The mail server answered 554 5.7.1 to DATA'],
  ] as const)('%s, the mail is refused at once', async (mode, last_error) => {
    fixture.smtp.mode = mode
    await fixture.requestResetTokens('dilnoza@example.uz')
    expect(await queue()).toMatchObject({ status: 'refused', last_error })
  })

  test('a mail server that is down loses no mail', async () => {
    const { port } = fixture.smtp
    await fixture.smtp.close()
    await fixture.requestResetTokens('dilnoza@example.uz')
    expect(await queue()).toMatchObject({ status: 'queued', attempts: 1, unsure: false })
    const again = await startSmtp(undefined, { port })
    try {
      await fixture.runJob()
      expect(await queue()).toMatchObject({ status: 'sent', attempts: 2 })
      expect(again.accepted.map(({ to }) => to)).toEqual([['dilnoza@example.uz']])
    } finally {
      await again.close()
      fixture.smtp = await startSmtp(undefined, { port })
    }
  })

  test('a mail that could not be sent for a day is refused', async () => {
    fixture.smtp.mode = 'busy'
    await fixture.requestResetTokens('dilnoza@example.uz')
    await fixture.query(`update reset_mails set created_at = now() - interval '25 hours'`)
    fixture.smtp.mode = 'ok'
    await fixture.runJob()
    expect(await queue()).toMatchObject({ status: 'refused' })
    expect(fixture.smtp.accepted).toEqual([])
  })

  test('an address with header or recipient injection gets no mail, and delays no other', async () => {
    const hostile = [
      'a@b.uz\r\nRCPT TO:<evil@example.uz>',
      'a@b.uz,evil@example.uz',
      '"evil@example.uz x"@b.uz',
      'a <evil@example.uz>',
      'evil@example.uz\r\n\r\nHello',
    ]
    for (const [n, email] of hostile.entries()) {
      const { id } = await fixture.createPerson(`hostile${n}`, `h${n}@example.uz`)
      await fixture.query('update users set email = $1, username = $2 where id = $3', [
        email,
        `x${n}\r\n\r\nhttps://evil.example/\u2028now`,
        id,
      ])
    }
    await fixture.query(`insert into reset_mails (user_id) select id from users where username like 'x%'`)
    await fixture.query(`insert into reset_mails (user_id) select id from users where username = 'dilnoza'`)
    const { id } = await fixture.createPerson('odd-name', 'odd@example.uz')
    await fixture.query(`update users set username = $1 where id = $2`, [
      'y\r\n\r\nhttps://evil.example/',
      id,
    ])
    await fixture.query(`insert into reset_mails (user_id) values ($1)`, [id])
    await fixture.runJob()
    expect(fixture.smtp.accepted.map(({ to }) => to)).toEqual([['dilnoza@example.uz'], ['odd@example.uz']])
    expect(fixture.smtp.accepted[1]?.text).toContain('Для пользователя y https://evil.example/ запрошен')
    const refusedMails = await fixture.query(`select last_error from reset_mails where status = 'refused'`)
    // They are rejected before the connection to a mail server.
    expect(refusedMails).toEqual(
      hostile.map(() => ({ last_error: 'No mail can be written to this address' })),
    )
    expect(JSON.stringify(fixture.smtp.accepted)).not.toContain('evil@')
  })
})

describe('Mail server', () => {
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

  test('the mail password is sent over an unencrypted connection only to this machine', async () => {
    const smtpServer = await startSmtp()
    const otherServer = await startSmtp(undefined, { host: '127.0.0.2' })
    try {
      expect(await sending(smtpServer.url)).toBe('sent')
      expect(smtpServer.passwords).toEqual(['desk-password'])
      expect(await sending(otherServer.url)).toMatchObject({ kind: 'temporary' })
      expect([otherServer.connections, otherServer.passwords, otherServer.accepted]).toEqual([1, [], []])
    } finally {
      await Promise.all([smtpServer.close(), otherServer.close()])
    }
  })

  test("a mail server that refuses the password is a temporary failure with the server's reason", async () => {
    const server = await startSmtp({ user: 'desk', pass: 'another' })
    try {
      const result = await sending(server.url.replace('another', 'wrong%20one'))
      expect(result).toMatchObject({ kind: 'temporary', mayHaveArrived: false })
      expect(result).toHaveProperty('reason', expect.stringMatching(/^The mail server answered 535 5\.7\.8/))
      expect(server.passwords).toEqual(['wrong one'])
    } finally {
      await server.close()
    }
  })

  test('a mail server that does not answer is given up after the timeout', async () => {
    const server = await startSmtp(null)
    server.mode = 'hang'
    try {
      const timeout = new AbortController()
      const delivery = sending(server.url, timeout.signal)
      await expect.poll(() => server.connections).toBe(1)
      timeout.abort()
      expect(await delivery).toEqual({
        kind: 'temporary',
        reason: 'The mail server did not answer in time',
        mayHaveArrived: true,
      })
    } finally {
      await server.close()
    }
  })
})
