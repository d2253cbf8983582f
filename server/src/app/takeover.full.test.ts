import { randomUUID } from 'node:crypto'
import { putProfile } from '@karvon/contract/auth/auth.ts'
import type { Call } from '@karvon/contract/lib/call.ts'
import { calls } from '@karvon/contract/registry.ts'
import { startSmtp, type FakeSmtp } from '@karvon/testkit/fakes/smtp.ts'
import { startTelegram, type FakeTelegram } from '@karvon/testkit/fakes/telegram.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { callApi, createTestApp, signIn, signInAdmin, type Product, type Session } from '../../test/app.ts'
import { buildAccountsEnv } from '../../test/accounts.ts'
import { runJob } from '../../test/jobs.ts'
import { createUser, getPassword, readOwnId } from '../../test/people.ts'
import { turnOnSecondFactor } from '../../test/second-factor.ts'
import { accountsJobs } from '../domains/accounts/accounts.jobs.ts'
import { openTelegram } from '../integrations/telegram/telegram.ts'
import { botJob } from '../domains/notices/notices.bot.ts'
import { noticesJobs } from '../domains/notices/notices.jobs.ts'
import { createBotReader } from './bot.ts'
import { createNoticeReaders } from './notices.ts'

// A stolen session must not be enough to take over the account.

let smtp: FakeSmtp
let telegram: FakeTelegram
let product: Product
let admin: Session

beforeAll(async () => {
  smtp = await startSmtp()
  telegram = await startTelegram('1:token')
  product = await createTestApp({
    ...buildAccountsEnv(smtp.url),
    KARVON_TELEGRAM_TOKEN: '1:token',
    KARVON_TELEGRAM_ROOT: telegram.root,
  })
  admin = await signInAdmin(product.app)
})
afterAll(async () => {
  await product.close()
  await smtp.close()
  await telegram.close()
})
beforeEach(() => product.deps.pool.query('delete from sign_in_failures'))

const rowsOf = async (text: string, values: unknown[] = []) =>
  (await product.deps.pool.query(text, values)).rows

/** All credentials and contacts of a person. `but`: the session that asks. */
async function credentialsOf(userId: number, but: Session): Promise<unknown> {
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

/** Signs in another session of a person with a second factor by a recovery code. */
async function signInAgain(username: string, password: string, code?: string): Promise<Session> {
  const payload = { username, password, ...(code !== undefined && { code }) }
  const answer = await callApi(product.app, null, 'POST', '/parcel/auth/login', payload)
  const { access_token: token } = answer.json<{ access_token: string }>()
  return { token, headers: { authorization: `Bearer ${token}` } }
}

/** The changes of an attacker, one at a time, because another refusal could hide one. */
const changes = [
  // A new value each time, so that a second run does not find the first one's value.
  () => ({ email: `${randomUUID()}@example.com` }),
  () => ({ password: `a long word of the thief ${randomUUID()}` }),
  () => ({ second_factor: false }),
]
const proofs = [{}, { current_password: 'wrong' }, { code: '000000' }, { current_password: null }]

/** A deactivation locks out everybody, and an admin sees and undoes it. */
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
    const ownSession = await createUser(product.app, admin, username, roleId)
    userId = await readOwnId(product.app, ownSession)
    codes = (await turnOnSecondFactor(product.app, ownSession, getPassword(username))).recovery
    await product.deps.pool.query(`insert into telegram_links (user_id, chat_id) values ($1, '900')`, [
      userId,
    ])
  })

  test('no call changes a credential without the password or a code, or with a wrong one', async () => {
    const stolenSession = await signInAgain(username, getPassword(username), codes.pop())
    expect(changing.length).toBeGreaterThan(60)
    const [ownRow] = await rowsOf(`select id from sessions where user_id = $1 order by id limit 1`, [userId])
    const before = await credentialsOf(userId, stolenSession)
    for (const [id, call] of changing) {
      if (call.id === 'auth.logout') continue
      const target = call.path.includes('sessions/:id') ? (ownRow as { id: number }).id : userId
      const url = call.path.replaceAll(':id', String(target))
      await product.deps.pool.query('delete from sign_in_failures')
      for (const change of changes)
        for (const proof of proofs)
          await callApi(product.app, stolenSession, call.method, url, { ...change(), ...proof })
      expect(await credentialsOf(userId, stolenSession), id).toEqual(before)
    }
  })

  test('the password or a code allows the change of a credential', async () => {
    const freshSession = await signInAgain(username, getPassword(username), codes.pop())
    const put = (body: object) => callApi(product.app, freshSession, 'PUT', putProfile.path, body)
    const email = `${username}-new@example.uz`
    expect((await put({ email, current_password: getPassword(username) })).json()).toMatchObject({ email })
    const back = `${username}@example.uz`
    expect((await put({ email: back, code: codes.pop() })).json()).toMatchObject({ email: back })
    const link = await callApi(product.app, freshSession, 'POST', '/parcel/auth/telegram/', {
      code: codes.pop(),
    })
    expect(link.statusCode, link.body).toBe(200)
    const firstSession = await signInAgain(username, getPassword(username), codes.pop())
    const { items } = (await callApi(product.app, firstSession, 'GET', '/parcel/auth/sessions')).json<{
      items: { id: number; current: boolean }[]
    }>()
    const otherSession = items.find(({ current }) => !current)
    const proof = { current_password: getPassword(username) }
    const answer = await callApi(
      product.app,
      firstSession,
      'DELETE',
      `/parcel/auth/sessions/${otherSession?.id}`,
      proof,
    )
    expect(answer.json()).toEqual({ id: otherSession?.id })
    expect(
      (await callApi(product.app, firstSession, 'DELETE', '/parcel/auth/sessions', proof)).statusCode,
    ).toBe(200)
    expect((await callApi(product.app, firstSession, 'GET', '/parcel/auth/me')).statusCode).toBe(401)
  })
})

describe('Notices to the owner', () => {
  let owner: Session
  let ownerId: number
  beforeAll(async () => {
    owner = await createUser(product.app, admin, 'nodira')
    ownerId = await readOwnId(product.app, owner)
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
    const jobs = [
      ...accountsJobs(product.deps),
      ...noticesJobs(product.deps, createNoticeReaders(product.deps), 0),
    ]
    for (const name of ['account-mails', 'notices']) await runJob(jobs, name)
  }
  const proof = { current_password: getPassword('nodira') }

  test('a changed email is reported to the old address and in the chat', async () => {
    const body = { email: 'else@example.uz', ...proof }
    expect((await callApi(product.app, owner, 'PUT', putProfile.path, body)).statusCode).toBe(200)
    await run()
    expect(smtp.accepted.map(({ to, text }) => [to, text.includes('изменён email')])).toEqual([
      [['nodira@example.uz'], true],
    ])
    expect(telegram.messages).toEqual([
      { chat: '901', text: expect.stringContaining('изменён email') as string },
    ])
  })

  test('a password changed by an admin is reported by mail and in the chat', async () => {
    const body = { password: 'chosen by the desk 7' }
    const answer = await callApi(product.app, admin, 'PUT', `/api/admin/users/${ownerId}`, body)
    expect(answer.statusCode, answer.body).toBe(200)
    await run()
    expect(smtp.accepted.map(({ text }) => text.includes('изменён пароль'))).toEqual([true])
    expect(telegram.messages.map(({ chat }) => chat)).toEqual(['901'])
    owner = await signIn(product.app, 'nodira', body.password)
    Object.assign(proof, { current_password: body.password })
  })

  test('a changed second factor is reported by mail and in the chat', async () => {
    const { recovery } = await turnOnSecondFactor(product.app, owner, proof.current_password)
    const off = { ...proof, code: recovery[0] }
    expect(
      (await callApi(product.app, owner, 'POST', '/parcel/auth/second-factor/off', off)).statusCode,
    ).toBe(200)
    await run()
    expect(smtp.accepted.map(({ text }) => /(включён|отключён) второй/.exec(text)?.[1])).toEqual([
      'включён',
      'отключён',
    ])
    expect(telegram.messages).toHaveLength(2)
  })

  test('a newly linked chat is reported in the old chat and by mail', async () => {
    const linkAnswer = await callApi(product.app, owner, 'POST', '/parcel/auth/telegram/', proof)
    telegram.write(902, linkAnswer.json<{ code: string }>().code)
    const client = openTelegram(product.deps.config.telegram)
    if (client === null) throw new Error('No bot')
    const bot = { telegram: client, bot: '1', reader: createBotReader(product.deps), wait: 0 }
    await botJob(product.deps, bot).run(new AbortController().signal)
    await run()
    const inOld = telegram.messages.filter(({ chat }) => chat === '901')
    expect(inOld.map(({ text }) => text.includes('с другим чатом'))).toEqual([true])
    expect(smtp.accepted.map(({ text }) => text.includes('подключён чат Telegram'))).toEqual([true])
  })

  test('an unlinked chat is reported in that chat and by mail', async () => {
    expect((await callApi(product.app, owner, 'DELETE', '/parcel/auth/telegram/', proof)).statusCode).toBe(
      200,
    )
    await run()
    expect(telegram.messages).toEqual([
      { chat: '901', text: expect.stringContaining('больше не связан') as string },
    ])
    expect(smtp.accepted).toHaveLength(1)
  })
})
