import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openAccounts, publicUrl, getMailedToken, type Accounts } from '../../../test/accounts.ts'
import { callApi, signIn } from '../../../test/app.ts'

let fixture: Accounts
let count = 0
beforeAll(async () => {
  fixture = await openAccounts()
})
afterAll(() => fixture.close())
beforeEach(async () => {
  for (const table of ['sign_in_failures', 'reset_mails', 'reset_links', 'reset_requests'])
    await fixture.query(`delete from ${table}`)
  fixture.smtp.mode = 'ok'
})

/** Creates a person with a new email. */
async function createPerson(values: object = {}) {
  count += 1
  const username = `person${count}`
  const email = `${username}@example.uz`
  const { id } = await fixture.createPerson(username, email, values)
  return { id, username, email, password: `${username}-password` }
}

const requestReset = (email: unknown, address?: string, headers?: Record<string, string>) =>
  fixture.post('forgot-password', { email }, address, headers)
const reset = (token: unknown, password: unknown = 'sovsem-novyy', address?: string) =>
  fixture.post('reset-password', { token, password }, address)
const login = async (username: string, password: string) =>
  (await fixture.post('login', { username, password }, '10.8.0.1')).statusCode
const admin = (method: 'PUT', path: string, body?: object) =>
  callApi(fixture.product.app, fixture.admin, method, path, body)
const notGood = {
  code: 'invalid',
  errors: [{ field: 'token', message: 'This link is no longer valid. Request a new one.' }],
}

describe('Mailed links', () => {
  test('a mailed link sets a password once and ends sessions, other links and failed tries', async () => {
    const person = await createPerson()
    const session = await signIn(fixture.product.app, person.username, person.password)
    const [first = ''] = await fixture.requestResetTokens(person.email)
    const [second = ''] = await fixture.requestResetTokens(person.email.toUpperCase())
    expect(first).toMatch(/^[\w-]{43}$/)
    for (let i = 0; i < 5; i += 1) await login(person.username, 'wrong')
    await fixture.extendBlocks()
    expect(await login(person.username, person.password)).toBe(429)
    const answer = await reset(first)
    expect([answer.statusCode, answer.json()]).toEqual([200, { changed: true }])
    expect((await callApi(fixture.product.app, session, 'GET', '/parcel/auth/me')).statusCode).toBe(401)
    expect(await login(person.username, 'sovsem-novyy')).toBe(200)
    expect(await login(person.username, person.password)).toBe(401)
    for (const token of [first, second, 'x'.repeat(43), '🐪', "' or 1=1 --"]) {
      const again = await reset(token, 'another-one')
      expect([again.statusCode, again.json()]).toMatchObject([422, notGood])
    }
    const auditRows = await fixture.query(
      `select action, resource, new_values::text as now from audit_log where user_id = $1`,
      [person.id],
    )
    expect(auditRows).toEqual([
      { action: 'update', resource: 'profile', now: '{"by": "mail", "password": "…"}' },
    ])
  })

  test('a mailed link ends the wait of a known device with failed sign-ins', async () => {
    const person = await createPerson()
    const loginWith = (password: string, device?: string) =>
      fixture.post('login', { username: person.username, password, device }, '10.8.0.1')
    const { device } = (await loginWith(person.password)).json<{ device: string }>()
    const [token] = await fixture.requestResetTokens(person.email)
    for (let i = 0; i < 5; i += 1) await loginWith('wrong', device)
    await fixture.extendBlocks()
    expect((await loginWith(person.password, device)).statusCode).toBe(429)
    expect((await reset(token)).statusCode).toBe(200)
    expect((await loginWith('sovsem-novyy', device)).statusCode).toBe(200)
  })

  test('one of twenty simultaneous uses of a mailed link succeeds', async () => {
    const person = await createPerson()
    const [token] = await fixture.requestResetTokens(person.email)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => reset(token, `parol-nomer-${n}`, `10.5.0.${n}`)),
    )
    const winners = answers.flatMap(({ statusCode }, n) => (statusCode === 200 ? [n] : []))
    expect(winners).toHaveLength(1)
    expect(answers.filter(({ statusCode }) => statusCode === 422)).toHaveLength(19)
    expect(await login(person.username, `parol-nomer-${winners[0]}`)).toBe(200)
  })

  test('one of two links of a person, used simultaneously, succeeds', async () => {
    const person = await createPerson()
    const tokens = [
      ...(await fixture.requestResetTokens(person.email)),
      ...(await fixture.requestResetTokens(person.email)),
    ]
    const answers = await Promise.all(tokens.map((token, n) => reset(token, `parol-nomer-${n}`)))
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 422])
  })

  test('a mailed link ends after an hour, and with a new password, a new email or a deactivation', async () => {
    const profile = async ({ username, password }: { username: string; password: string }) => {
      const session = await signIn(fixture.product.app, username, password)
      const body = { password: 'izmenil-sam', current_password: password }
      await callApi(fixture.product.app, session, 'PUT', '/parcel/auth/profile', body)
    }
    type Person = Awaited<ReturnType<typeof createPerson>>
    const endings: Record<string, (one: Person) => Promise<unknown>> = {
      hour: () => fixture.query(`update reset_links set expires_at = expires_at - interval '60 minutes'`),
      own: profile,
      password: ({ id }) => admin('PUT', `/api/admin/users/${id}`, { password: 'set-by-admin' }),
      email: ({ id }) => admin('PUT', `/api/admin/users/${id}`, { email: 'elsewhere@example.uz' }),
      off: ({ id }) => admin('PUT', `/api/admin/users/${id}/deactivate`),
      offAndOn: async ({ id }) => {
        await admin('PUT', `/api/admin/users/${id}/deactivate`)
        await admin('PUT', `/api/admin/users/${id}/activate`)
      },
    }
    for (const [name, end] of Object.entries(endings)) {
      const createdPerson = await createPerson()
      const [token] = await fixture.requestResetTokens(createdPerson.email)
      await end(createdPerson)
      expect((await reset(token)).json(), name).toMatchObject(notGood)
      expect(await login(createdPerson.username, 'sovsem-novyy'), name).toBe(401)
    }
    const person = await createPerson()
    const [token] = await fixture.requestResetTokens(person.email)
    await admin('PUT', `/api/admin/users/${person.id}`, { name: 'Another name' })
    await fixture.query(`update reset_links set expires_at = expires_at - interval '59 minutes'`)
    await fixture.runJob('reset-links-retention')
    expect((await reset(token)).statusCode).toBe(200)
  })

  test('a password reset leaves the second factor on', async () => {
    const person = await createPerson()
    await fixture.query('update users set second_factor = true where id = $1', [person.id])
    const [token] = await fixture.requestResetTokens(person.email)
    expect((await reset(token)).statusCode).toBe(200)
    expect(await fixture.query('select second_factor from users where id = $1', [person.id])).toEqual([
      { second_factor: true },
    ])
  })

  test('a mailed link refuses a weak password and stays valid', async () => {
    const person = await createPerson()
    const [token] = await fixture.requestResetTokens(person.email)
    const ownName = `${person.username.padEnd(8, '.')}-1990`
    for (const password of ['', '1234567', 'x'.repeat(257), 12345678, null, ownName])
      expect((await reset(token, password)).statusCode, String(password)).toBe(422)
    expect((await reset(token)).statusCode).toBe(200)
  })

  test('guesses of mailed links are limited by address', async () => {
    for (let i = 0; i < 20; i += 1) expect((await reset('guess')).statusCode).toBe(422)
    await fixture.extendBlocks()
    expect((await reset('guess')).statusCode).toBe(429)
  })
})

describe('Reset requests', () => {
  test('a reset request gets the same answer for everybody, before the address is looked up', async () => {
    const person = await createPerson()
    const off = await createPerson()
    await admin('PUT', `/api/admin/users/${off.id}/deactivate`)
    const lookups = `select count(*) as n from reset_mails`
    for (const email of [person.email, off.email, 'nobody@example.uz', `${person.email} `]) {
      const answer = await requestReset(email)
      const { date: _, 'x-request-id': __, ...headers } = answer.headers
      expect([answer.statusCode, answer.json()]).toEqual([202, { accepted: true }])
      expect(headers).not.toHaveProperty('retry-after')
      expect(await fixture.query(lookups)).toEqual([{ n: 0 }])
    }
    const before = fixture.smtp.accepted.length
    await fixture.runJob()
    expect(fixture.smtp.accepted.slice(before).map(({ to }) => to)).toEqual([[person.email]])
  })

  test('each person of a shared address gets a link of their own that names them', async () => {
    const [first, second, off] = [await createPerson(), await createPerson(), await createPerson()]
    const email = `Shared${count}@example.uz`
    await fixture.query('update users set email = $1 where id = any($2)', [email, [first.id, off.id]])
    await fixture.query('update users set email = lower($1) where id = $2', [email, second.id])
    await fixture.query('update users set is_active = false where id = $1', [off.id])
    const before = fixture.smtp.accepted.length
    await fixture.requestResetTokens(email.toLowerCase())
    const mails = fixture.smtp.accepted.slice(before)
    // Mails go to the stored addresses, not to the typed one.
    expect(new Set(mails.map(({ to }) => to[0]))).toEqual(new Set([email, email.toLowerCase()]))
    expect(mails.every(({ from }) => from === 'desk@example.uz')).toBe(true)
    for (const { username } of [first, second]) {
      const mail = mails.find(({ text }) => text.includes(`${username} `))
      expect((await reset(getMailedToken(mail?.text ?? ''))).statusCode).toBe(200)
      expect(await login(username, 'sovsem-novyy')).toBe(200)
    }
  })

  test("the link of a reset mail leads to the configured address, whatever the request's headers say", async () => {
    const person = await createPerson()
    const forgedHeaders = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
    }
    await requestReset(person.email, undefined, {
      ...forgedHeaders,
      origin: 'https://evil.example',
      referer: 'https://evil.example',
    })
    await fixture.runJob()
    const mail = fixture.smtp.accepted.at(-1)
    expect(mail?.text).toContain(`\n${publicUrl}/reset-password#token=${getMailedToken(mail?.text ?? '')}\n`)
    expect(JSON.stringify(mail)).not.toContain('evil')
  })

  test('reset requests are limited by network and by email, whether the email is known or not', async () => {
    const person = await createPerson()
    for (const email of [person.email, 'stranger@example.uz']) {
      for (let n = 0; n < 3; n += 1)
        expect((await requestReset(email.toUpperCase(), '10.6.1.1')).statusCode).toBe(202)
      await fixture.extendBlocks()
      expect((await requestReset(email, '10.6.1.1')).statusCode).toBe(429)
      expect((await requestReset(email, '10.6.9.1')).statusCode, 'its owner, elsewhere').toBe(202)
    }
    for (let n = 0; n < 10; n += 1)
      expect((await requestReset(`a${n}@example.uz`, '10.7.0.1')).statusCode).toBe(202)
    await fixture.extendBlocks()
    expect((await requestReset('b@example.uz', '10.7.0.1')).statusCode).toBe(429)
  })

  test('a person gets at most five reset mails an hour, without notice to the caller', async () => {
    const person = await createPerson()
    for (let n = 0; n < 7; n += 1)
      expect(await fixture.requestResetTokens(person.email)).toHaveLength(n < 5 ? 1 : 0)
    await fixture.query(`update reset_mails set created_at = now() - interval '61 minutes'`)
    expect(await fixture.requestResetTokens(person.email)).toHaveLength(1)
  })

  test('a reset request refuses a value that is no email address', async () => {
    for (const email of [
      '',
      'nobody',
      'a@b.uz\r\nBcc: all@example.uz',
      'a@b.uz,c@d.uz e',
      7,
      null,
      ['a@b.uz'],
    ])
      expect((await requestReset(email)).statusCode, String(email)).toBe(422)
  })
})

test("a queued reset mail is not sent once the person's password was set by an admin", async () => {
  const person = await createPerson()
  fixture.smtp.mode = 'busy'
  await fixture.requestResetTokens(person.email)
  fixture.smtp.mode = 'ok'
  await admin('PUT', `/api/admin/users/${person.id}`, { password: 'set-by-admin' })
  const before = fixture.smtp.accepted.length
  await fixture.runJob()
  expect(fixture.smtp.accepted).toHaveLength(before)
})
