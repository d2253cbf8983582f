import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openAccounts, publicUrl, tokenIn, type Accounts } from '../../../test/accounts.ts'
import { ask, signIn } from '../../../test/app.ts'

let desk: Accounts
let count = 0
beforeAll(async () => {
  desk = await openAccounts()
})
afterAll(() => desk.close())
beforeEach(async () => {
  for (const table of ['sign_in_failures', 'reset_mails', 'reset_links', 'reset_requests'])
    await desk.query(`delete from ${table}`)
  desk.smtp.mode = 'ok'
})

/** Creates a person with a new email. */
async function somebody(more: object = {}) {
  count += 1
  const username = `person${count}`
  const email = `${username}@example.uz`
  const { id } = await desk.person(username, email, more)
  return { id, username, email, password: `${username}-password` }
}

const forgot = (email: unknown, address?: string, headers?: Record<string, string>) =>
  desk.post('forgot-password', { email }, address, headers)
const reset = (token: unknown, password: unknown = 'sovsem-novyy', address?: string) =>
  desk.post('reset-password', { token, password }, address)
const login = async (username: string, password: string) =>
  (await desk.post('login', { username, password }, '10.8.0.1')).statusCode
const admin = (method: 'PUT', path: string, body?: object) =>
  ask(desk.product.app, desk.admin, method, path, body)
const notGood = {
  code: 'invalid',
  errors: [{ field: 'token', message: 'This link is not good any more. Ask for a new one.' }],
}

describe('a mailed link', () => {
  test('sets a password once: sessions, other links and tries end with the old one', async () => {
    const one = await somebody()
    const signed = await signIn(desk.product.app, one.username, one.password)
    const [first = ''] = await desk.asked(one.email)
    const [second = ''] = await desk.asked(one.email.toUpperCase())
    expect(first).toMatch(/^[\w-]{43}$/)
    for (let i = 0; i < 5; i += 1) await login(one.username, 'wrong')
    await desk.hold()
    expect(await login(one.username, one.password)).toBe(429)
    const answer = await reset(first)
    expect([answer.statusCode, answer.json()]).toEqual([200, { changed: true }])
    expect((await ask(desk.product.app, signed, 'GET', '/parcel/auth/me')).statusCode).toBe(401)
    expect(await login(one.username, 'sovsem-novyy')).toBe(200)
    expect(await login(one.username, one.password)).toBe(401)
    for (const token of [first, second, 'x'.repeat(43), '🐪', "' or 1=1 --"]) {
      const again = await reset(token, 'another-one')
      expect([again.statusCode, again.json()]).toMatchObject([422, notGood])
    }
    const auditRows = await desk.query(
      `select action, resource, new_values::text as now from audit_log where user_id = $1`,
      [one.id],
    )
    expect(auditRows).toEqual([
      { action: 'update', resource: 'profile', now: '{"by": "mail", "password": "…"}' },
    ])
  })

  test('is good for one of twenty who come at once', async () => {
    const one = await somebody()
    const [token] = await desk.asked(one.email)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => reset(token, `parol-nomer-${n}`, `10.5.0.${n}`)),
    )
    const winners = answers.flatMap(({ statusCode }, n) => (statusCode === 200 ? [n] : []))
    expect(winners).toHaveLength(1)
    expect(answers.filter(({ statusCode }) => statusCode === 422)).toHaveLength(19)
    expect(await login(one.username, `parol-nomer-${winners[0]}`)).toBe(200)
  })

  test('that are two of one person at once set one password', async () => {
    const one = await somebody()
    const tokens = [...(await desk.asked(one.email)), ...(await desk.asked(one.email))]
    const answers = await Promise.all(tokens.map((token, n) => reset(token, `parol-nomer-${n}`)))
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 422])
  })

  test('is over after an hour, and once its person has a new password or email, or is switched off', async () => {
    const profile = async ({ username, password }: { username: string; password: string }) => {
      const signed = await signIn(desk.product.app, username, password)
      const body = { password: 'izmenil-sam', current_password: password }
      await ask(desk.product.app, signed, 'PUT', '/parcel/auth/profile', body)
    }
    type Somebody = Awaited<ReturnType<typeof somebody>>
    const endings: Record<string, (one: Somebody) => Promise<unknown>> = {
      hour: () => desk.query(`update reset_links set expires_at = expires_at - interval '60 minutes'`),
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
      const one = await somebody()
      const [token] = await desk.asked(one.email)
      await end(one)
      expect((await reset(token)).json(), name).toMatchObject(notGood)
      expect(await login(one.username, 'sovsem-novyy'), name).toBe(401)
    }
    const left = await somebody()
    const [token] = await desk.asked(left.email)
    await admin('PUT', `/api/admin/users/${left.id}`, { name: 'Another name' })
    await desk.query(`update reset_links set expires_at = expires_at - interval '59 minutes'`)
    await desk.run('reset-links-retention')
    expect((await reset(token)).statusCode).toBe(200)
  })

  test('leaves a second factor on', async () => {
    const one = await somebody()
    await desk.query('update users set second_factor = true where id = $1', [one.id])
    const [token] = await desk.asked(one.email)
    expect((await reset(token)).statusCode).toBe(200)
    expect(await desk.query('select second_factor from users where id = $1', [one.id])).toEqual([
      { second_factor: true },
    ])
  })

  test('takes no short password and not the name of its owner, and is then still good', async () => {
    const one = await somebody()
    const [token] = await desk.asked(one.email)
    const ownName = `${one.username.padEnd(8, '.')}-1990`
    for (const password of ['', '1234567', 'x'.repeat(257), 12345678, null, ownName])
      expect((await reset(token, password)).statusCode, String(password)).toBe(422)
    expect((await reset(token)).statusCode).toBe(200)
  })

  test('that are guessed are held back by address', async () => {
    for (let i = 0; i < 20; i += 1) expect((await reset('guess')).statusCode).toBe(422)
    await desk.hold()
    expect((await reset('guess')).statusCode).toBe(429)
  })
})

describe('asking for a link', () => {
  test('is answered alike for everybody, before anybody looks them up', async () => {
    const one = await somebody()
    const off = await somebody()
    await admin('PUT', `/api/admin/users/${off.id}/deactivate`)
    const lookups = `select count(*) as n from reset_mails`
    for (const email of [one.email, off.email, 'nobody@example.uz', `${one.email} `]) {
      const answer = await forgot(email)
      const { date: _, 'x-request-id': __, ...headers } = answer.headers
      expect([answer.statusCode, answer.json()]).toEqual([202, { accepted: true }])
      expect(headers).not.toHaveProperty('retry-after')
      expect(await desk.query(lookups)).toEqual([{ n: 0 }])
    }
    const before = desk.smtp.accepted.length
    await desk.run()
    expect(desk.smtp.accepted.slice(before).map(({ to }) => to)).toEqual([[one.email]])
  })

  test('mails each person of a shared address a link of their own, naming them', async () => {
    const [one, two, off] = [await somebody(), await somebody(), await somebody()]
    const email = `Shared${count}@example.uz`
    await desk.query('update users set email = $1 where id = any($2)', [email, [one.id, off.id]])
    await desk.query('update users set email = lower($1) where id = $2', [email, two.id])
    await desk.query('update users set is_active = false where id = $1', [off.id])
    const before = desk.smtp.accepted.length
    await desk.asked(email.toLowerCase())
    const mails = desk.smtp.accepted.slice(before)
    // Mails go to the stored addresses, not to the typed one.
    expect(new Set(mails.map(({ to }) => to[0]))).toEqual(new Set([email, email.toLowerCase()]))
    expect(mails.every(({ from }) => from === 'desk@example.uz')).toBe(true)
    for (const { username } of [one, two]) {
      const mail = mails.find(({ text }) => text.includes(`${username} `))
      expect((await reset(tokenIn(mail?.text ?? ''))).statusCode).toBe(200)
      expect(await login(username, 'sovsem-novyy')).toBe(200)
    }
  })

  test('never lets a request say where the link leads', async () => {
    const one = await somebody()
    const evil = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' }
    await forgot(one.email, undefined, {
      ...evil,
      origin: 'https://evil.example',
      referer: 'https://evil.example',
    })
    await desk.run()
    const mail = desk.smtp.accepted.at(-1)
    expect(mail?.text).toContain(`\n${publicUrl}/reset-password#token=${tokenIn(mail?.text ?? '')}\n`)
    expect(JSON.stringify(mail)).not.toContain('evil')
  })

  test('is held back by network and by email there, known here or not', async () => {
    const one = await somebody()
    for (const email of [one.email, 'stranger@example.uz']) {
      for (let n = 0; n < 3; n += 1)
        expect((await forgot(email.toUpperCase(), '10.6.1.1')).statusCode).toBe(202)
      await desk.hold()
      expect((await forgot(email, '10.6.1.1')).statusCode).toBe(429)
      expect((await forgot(email, '10.6.9.1')).statusCode, 'its owner, elsewhere').toBe(202)
    }
    for (let n = 0; n < 10; n += 1)
      expect((await forgot(`a${n}@example.uz`, '10.7.0.1')).statusCode).toBe(202)
    await desk.hold()
    expect((await forgot('b@example.uz', '10.7.0.1')).statusCode).toBe(429)
  })

  test('mails one person five times an hour at the most, without a word', async () => {
    const one = await somebody()
    for (let n = 0; n < 7; n += 1) expect(await desk.asked(one.email)).toHaveLength(n < 5 ? 1 : 0)
    await desk.query(`update reset_mails set created_at = now() - interval '61 minutes'`)
    expect(await desk.asked(one.email)).toHaveLength(1)
  })

  test('refuses what is no address', async () => {
    for (const email of [
      '',
      'nobody',
      'a@b.uz\r\nBcc: all@example.uz',
      'a@b.uz,c@d.uz e',
      7,
      null,
      ['a@b.uz'],
    ])
      expect((await forgot(email)).statusCode, String(email)).toBe(422)
  })
})

test('a mail that is queued for somebody who then needs it no more is not sent', async () => {
  const one = await somebody()
  desk.smtp.mode = 'busy'
  await desk.asked(one.email)
  desk.smtp.mode = 'ok'
  await admin('PUT', `/api/admin/users/${one.id}`, { password: 'set-by-admin' })
  const before = desk.smtp.accepted.length
  await desk.run()
  expect(desk.smtp.accepted).toHaveLength(before)
})
