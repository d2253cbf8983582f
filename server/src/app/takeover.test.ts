import { randomUUID } from 'node:crypto'
import { putProfile } from '@karvon/contract/auth/auth.ts'
import type { Call } from '@karvon/contract/lib/call.ts'
import { calls } from '@karvon/contract/registry.ts'
import { startSmtp, type FakeSmtp } from '@karvon/testkit/fakes/smtp.ts'
import { startTelegram, type FakeTelegram } from '@karvon/testkit/fakes/telegram.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ask, createTestApp, firstAdmin, signIn, type Product, type Signed } from '../../test/app.ts'
import { liveAccounts } from '../../test/accounts.ts'
import { createUser, passwordOf } from '../../test/people.ts'
import { turnSecondFactorOn } from '../../test/second-factor.ts'
import { accountsJobs } from '../domains/accounts/accounts.jobs.ts'
import { openTelegram } from '../integrations/telegram/telegram.ts'
import { botJob } from '../domains/notices/notices.bot.ts'
import { noticesJobs } from '../domains/notices/notices.jobs.ts'

// Whoever has a session and nothing else must not become the owner of its account.

let smtp: FakeSmtp
let telegram: FakeTelegram
let product: Product
let admin: Signed

beforeAll(async () => {
  smtp = await startSmtp()
  telegram = await startTelegram('1:token')
  product = await createTestApp({
    ...liveAccounts(smtp.url),
    KARVON_TELEGRAM_TOKEN: '1:token',
    KARVON_TELEGRAM_ROOT: telegram.root,
  })
  admin = await signIn(product.app, firstAdmin.username, firstAdmin.password)
})
afterAll(async () => {
  await product.close()
  await smtp.close()
  await telegram.close()
})
beforeEach(() => product.deps.pool.query('delete from sign_in_failures'))

const rowsOf = async (text: string, values: unknown[] = []) =>
  (await product.deps.pool.query(text, values)).rows

/** All that lets somebody in as a person, or tells them of it. `but`: the session that asks. */
async function credentialsOf(userId: number, but: Signed): Promise<unknown> {
  const of = (table: string, columns: string, key = 'user_id') =>
    rowsOf(`select ${columns} from ${table} where ${key} = $1 order by 1`, [userId])
  return {
    person: await of('users', 'email, password_hash, second_factor', 'id'),
    sessions: await rowsOf(
      `select id from sessions where user_id = $1 and token_hash <> sha256($2::bytea) order by id`,
      [userId, Buffer.from(but.token)],
    ),
    recovery: await of('recovery_codes', 'code_hash'),
    secret: await rowsOf('select secret from second_factors where id = $1', [userId]),
    chat: await of('telegram_links', 'chat_id, code'),
  }
}

/** Signs in another session of somebody who has a second factor by a recovery code. */
async function another(username: string, password: string, code?: string): Promise<Signed> {
  const payload = { username, password, ...(code !== undefined && { code }) }
  const answer = await ask(product.app, null, 'POST', '/parcel/auth/login', payload)
  const { access_token: token } = answer.json<{ access_token: string }>()
  return { token, headers: { authorization: `Bearer ${token}` } }
}

/** What a thief would change, one thing at a time: another refusal must not hide that it is possible. */
const changes = [
  // Another one each time: a second run must not find what a first one left behind.
  () => ({ email: `${randomUUID()}@example.com` }),
  () => ({ password: `a long word of the thief ${randomUUID()}` }),
  () => ({ second_factor: false }),
]
const proofs = [{}, { current_password: 'wrong' }, { code: '000000' }, { current_password: null }]

/** A deactivation locks everybody out, the thief too; and an admin sees it and takes it back. */
const locksOut = ['users.deactivate']
const changing: (readonly [string, Call])[] = calls.flatMap((call) =>
  call.method === 'GET' || call.guard === 'public' || locksOut.includes(call.id) ? [] : [[call.id, call]],
)

describe.each([
  ['a regular person', 'zilola', 2],
  ['an admin', 'temur', 1],
] as const)('a stolen session of %s', (_, username, roleId) => {
  let userId: number
  let codes: string[]
  beforeAll(async () => {
    const own = await createUser(product.app, admin, username, roleId)
    userId = (await ask(product.app, own, 'GET', '/parcel/auth/me')).json<{ id: number }>().id
    codes = (await turnSecondFactorOn(product.app, own, passwordOf(username))).recovery
    await product.deps.pool.query(`insert into telegram_links (user_id, chat_id) values ($1, '900')`, [
      userId,
    ])
  })

  test('changes no credential by any call, with no proof or a wrong one', { timeout: 240_000 }, async () => {
    const stolen = await another(username, passwordOf(username), codes.pop())
    expect(changing.length).toBeGreaterThan(60)
    const [own] = await rowsOf(`select id from sessions where user_id = $1 order by id limit 1`, [userId])
    const before = await credentialsOf(userId, stolen)
    for (const [id, call] of changing) {
      if (call.id === 'auth.logout') continue
      const target = call.path.includes('sessions/:id') ? (own as { id: number }).id : userId
      const url = call.path.replaceAll(':id', String(target))
      await product.deps.pool.query('delete from sign_in_failures')
      for (const change of changes)
        for (const proof of proofs)
          await ask(product.app, stolen, call.method, url, { ...change(), ...proof })
      expect(await credentialsOf(userId, stolen), id).toEqual(before)
    }
  })

  test('changes them with the password or a code', async () => {
    const signed = await another(username, passwordOf(username), codes.pop())
    const put = (body: object) => ask(product.app, signed, 'PUT', putProfile.path, body)
    const email = `${username}-new@example.uz`
    expect((await put({ email, current_password: passwordOf(username) })).json()).toMatchObject({ email })
    const back = `${username}@example.uz`
    expect((await put({ email: back, code: codes.pop() })).json()).toMatchObject({ email: back })
    const link = await ask(product.app, signed, 'POST', '/parcel/auth/telegram/', { code: codes.pop() })
    expect(link.statusCode, link.body).toBe(200)
    const one = await another(username, passwordOf(username), codes.pop())
    const { items } = (await ask(product.app, one, 'GET', '/parcel/auth/sessions')).json<{
      items: { id: number; current: boolean }[]
    }>()
    const other = items.find(({ current }) => !current)
    const proof = { current_password: passwordOf(username) }
    const ended = await ask(product.app, one, 'DELETE', `/parcel/auth/sessions/${other?.id}`, proof)
    expect(ended.json()).toEqual({ id: other?.id })
    expect((await ask(product.app, one, 'DELETE', '/parcel/auth/sessions', proof)).statusCode).toBe(200)
    expect((await ask(product.app, one, 'GET', '/parcel/auth/me')).statusCode).toBe(401)
  })
})

describe('the owner is told of a change', () => {
  let owner: Signed
  let ownerId: number
  beforeAll(async () => {
    owner = await createUser(product.app, admin, 'nodira')
    ownerId = (await ask(product.app, owner, 'GET', '/parcel/auth/me')).json<{ id: number }>().id
  })
  beforeEach(async () => {
    await product.deps.pool.query('delete from notices')
    await product.deps.pool.query('delete from account_mails')
    await product.deps.pool.query(
      `insert into telegram_links (user_id, chat_id) values ($1, '901')
       on conflict (user_id) do update set chat_id = '901'`,
      [ownerId],
    )
    smtp.accepted.splice(0)
    telegram.messages.splice(0)
  })

  const run = async () => {
    const nothing = async () => ({ leads: 0, sold: 0, profit: 0 })
    const jobs = [...accountsJobs(product.deps), ...noticesJobs(product.deps, nothing, 0)]
    for (const name of ['account-mails', 'notices'])
      await jobs.find((job) => job.name === name)?.run(new AbortController().signal)
  }
  const proof = { current_password: passwordOf('nodira') }

  test('of the email, at the old address and in the chat', async () => {
    const body = { email: 'else@example.uz', ...proof }
    expect((await ask(product.app, owner, 'PUT', putProfile.path, body)).statusCode).toBe(200)
    await run()
    expect(smtp.accepted.map(({ to, text }) => [to, text.includes('изменён email')])).toEqual([
      [['nodira@example.uz'], true],
    ])
    expect(telegram.messages).toEqual([
      { chat: '901', text: expect.stringContaining('изменён email') as string },
    ])
  })

  test('of the password by an admin, at the address and in the chat', async () => {
    const body = { password: 'chosen by the desk 7' }
    const put = await ask(product.app, admin, 'PUT', `/api/admin/users/${ownerId}`, body)
    expect(put.statusCode, put.body).toBe(200)
    await run()
    expect(smtp.accepted.map(({ text }) => text.includes('изменён пароль'))).toEqual([true])
    expect(telegram.messages.map(({ chat }) => chat)).toEqual(['901'])
    owner = await signIn(product.app, 'nodira', body.password)
    Object.assign(proof, { current_password: body.password })
  })

  test('of the second factor, in both places', async () => {
    const { recovery } = await turnSecondFactorOn(product.app, owner, proof.current_password)
    const off = { ...proof, code: recovery[0] }
    expect((await ask(product.app, owner, 'POST', '/parcel/auth/second-factor/off', off)).statusCode).toBe(
      200,
    )
    await run()
    expect(smtp.accepted.map(({ text }) => /(включён|отключён) второй/.exec(text)?.[1])).toEqual([
      'включён',
      'отключён',
    ])
    expect(telegram.messages).toHaveLength(2)
  })

  test('of another chat, in the old one', async () => {
    const made = await ask(product.app, owner, 'POST', '/parcel/auth/telegram/', proof)
    telegram.write(902, made.json<{ code: string }>().code)
    const client = openTelegram(product.deps.config.telegram)
    if (client === null) throw new Error('No bot')
    await botJob(product.deps, client, '1', 0).run(new AbortController().signal)
    await run()
    const inOld = telegram.messages.filter(({ chat }) => chat === '901')
    expect(inOld.map(({ text }) => text.includes('с другим чатом'))).toEqual([true])
    expect(smtp.accepted.map(({ text }) => text.includes('подключён чат Telegram'))).toEqual([true])
  })

  test('of an unlinked chat, in that chat', async () => {
    expect((await ask(product.app, owner, 'DELETE', '/parcel/auth/telegram/', proof)).statusCode).toBe(200)
    await run()
    expect(telegram.messages).toEqual([
      { chat: '901', text: expect.stringContaining('больше не связан') as string },
    ])
    expect(smtp.accepted).toHaveLength(1)
  })
})
