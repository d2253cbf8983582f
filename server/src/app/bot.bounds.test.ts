import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createBotFixture } from '../../test/bot.ts'
import { callApi } from '../../test/app.ts'
import { readId } from '../../test/people.ts'
import { maxBotMessagesPerChat } from '../platform/limits/limits.ts'

const {
  telegram,
  product,
  people,
  query,
  link,
  run,
  ask,
  restart,
  reset,
  deleteUnusedChats,
  close,
  createBot,
} = await createBotFixture()
afterAll(close)
beforeEach(reset)

describe('Access to the bot', () => {
  const commands = ['/today', '/balance', '/find A-1', '/mute always', '/language en', '/help']

  test('an unlinked chat gets only how to link, in the language of its Telegram app', async () => {
    const how = 'Отправьте код из профиля Karvon, чтобы получать уведомления. Отключить: /stop'
    expect(await ask(999, ...commands)).toEqual(commands.map(() => how))
    telegram.write(999, '/today', { language: 'uz' })
    telegram.write(999, '/today', { language: 'en-GB' })
    telegram.write(999, '/today', { language: 'fr' })
    expect((await run()).map(({ text }) => text.slice(0, 8))).toEqual(['Bildiris', 'Send the', 'Отправьт'])
    expect(await query(`select from telegram_chats where configured = '999'`)).toEqual([])
  })

  test('a deactivated or deleted person gets only how to link from that moment', async () => {
    await callApi(product.app, people.admin.session, 'PUT', `/api/admin/users/${people.aziz.id}/deactivate`)
    const [state] = await query('select is_active from users where id = $1', [people.aziz.id])
    expect(state).toEqual({ is_active: false })
    const answers = await ask(501, ...commands)
    expect(new Set(answers)).toEqual(
      new Set(['Отправьте код из профиля Karvon, чтобы получать уведомления. Отключить: /stop']),
    )
    expect(await query('select language, muted_until from users, telegram_links where id = user_id')).toEqual(
      [{ language: null, muted_until: null }],
    )
    const { id } = await callApi(product.app, people.admin.session, 'POST', '/api/admin/users/', {
      username: 'gone',
      name: 'gone',
      email: 'gone@example.uz',
      password: 'gone-password',
      role_id: await readId(product.app, people.admin.session, '/api/admin/roles/?code=user'),
    }).then((answer) => answer.json<{ id: number }>())
    await query(`insert into telegram_links (user_id, chat_id, linked_at) values ($1, '777', now())`, [id])
    expect((await ask(777, '/balance'))[0]).toContain('Баланс')
    await query('delete from users where id = $1', [id])
    expect((await ask(777, '/balance'))[0]).toMatch(/^Отправьте код/)
  })

  test('an admin without the required second factor gets no figures', async () => {
    await link(503, 'admin')
    const { config } = product.deps
    config.requireSecondFactor = 'admins'
    try {
      expect(new Set(await ask(503, ...commands))).toEqual(
        new Set(['Сначала включите второй фактор в профиле Karvon.']),
      )
    } finally {
      config.requireSecondFactor = 'off'
    }
  })

  test('a message in a group gets no reply, although its chat is that of a person', async () => {
    await link(-700, 'aziz')
    for (const text of [...commands, '/stop']) telegram.write(-700, text, { group: true })
    expect(await run()).toEqual([])
    expect(await query('select chat_id from telegram_links')).toEqual([{ chat_id: '-700' }])
  })
})

describe('Bounds of the bot', () => {
  test('the replies of the bot to one chat are limited by minute, and those to another chat are not affected', async () => {
    const commands = Array.from({ length: maxBotMessagesPerChat + 5 }, () => '/help')
    expect(await ask(999, ...commands)).toHaveLength(maxBotMessagesPerChat)
    expect(await ask(501, '/help')).toHaveLength(1)
    expect(await ask(999, '/help')).toEqual([])
  })

  test('the bot gets past a hundred waiting messages of the largest size', async () => {
    // Telegram writes most letters as six characters of JSON, as JSON.stringify does with control characters.
    for (let count = 1; count < 100; count += 1) telegram.write(-700, '\u0001'.repeat(4096), { group: true })
    expect(await ask(501, '/mute off')).toEqual(['Уведомления включены.'])
  })

  test('a message is handled once, although its reply was lost', async () => {
    telegram.faults = { lost: 1 }
    try {
      expect(await ask(501, '/language uz')).toHaveLength(1)
    } finally {
      telegram.faults = {}
    }
    restart()
    expect(await ask(501)).toEqual([])
    telegram.mode = 'kicked'
    expect(await ask(501, '/help')).toEqual([])
    telegram.mode = 'ok'
    expect(await ask(501, '/mute off')).toEqual(['Bildirishnomalar yoqildi.'])
  })

  test('a message is handled once after Telegram chose lower ids for new updates', async () => {
    telegram.renumber(5000)
    expect(await ask(501, '/mute off')).toEqual(['Уведомления включены.'])
    telegram.renumber(200)
    expect(await ask(501, '/mute off', '/find')).toHaveLength(2)
    expect(await ask(501)).toEqual([])
    expect(await ask(501, '/mute off')).toHaveLength(1)
  })

  test('a chat that must wait after a 429 gets no reply meanwhile, and no other chat waits', async () => {
    telegram.mode = 'slow_down'
    await ask(501, '/help')
    telegram.mode = 'ok'
    await link(502, 'vali')
    expect(await ask(501, '/help', '/today')).toEqual([])
    expect(await ask(502, '/help')).toHaveLength(1)
  })

  test("the pause of a stranger's chat is deleted after its end, and what is needed of other chats stays", async () => {
    telegram.mode = 'slow_down'
    await ask(999, '/help')
    telegram.mode = 'ok'
    await query(`insert into telegram_chats (configured, current, sent_times) values
      ('-1', '-2', '{}'), ('5', null, array[now() - interval '1 minute']), ('6', null, array[now() - interval '2 hours'])`)
    await query(
      `insert into telegram_chats (configured) select 'stranger ' || n from generate_series(1, 6000) n`,
    )
    const listChats = async () => {
      await deleteUnusedChats()
      return (await query('select configured from telegram_chats order by configured collate "C"')).map(
        (row) => row.configured,
      )
    }
    expect(await listChats()).toEqual(['-1', '5', '999'])
    await query('update telegram_chats set paused_until = now()')
    expect(await listChats()).toEqual(['-1', '5'])
  })

  test('a reply does not wait for the rate of its chat, because the replies to other chats would wait too', async () => {
    const { telegram: settings } = product.deps.config
    settings.rate = { interval: 60_000, perMinute: 1 }
    try {
      expect(await ask(501, '/help', '/mute off')).toHaveLength(2)
    } finally {
      settings.rate = null
    }
  })

  test('an answer that cannot be read gets a reply, and the next message its own', async () => {
    await query('alter table ledger_balances rename to ledger_balances_away')
    try {
      expect(await ask(501, '/balance', '/mute off')).toEqual([
        'Сейчас ответить не удалось. Повторите позже.',
        'Уведомления включены.',
      ])
    } finally {
      await query('alter table ledger_balances_away rename to ledger_balances')
    }
  })
})

describe('A server that answers the bot at once', () => {
  test('a server that answers the bot at once without an update gets one request in a second', async () => {
    let requests = 0
    const server = createServer((request, response) => {
      if (request.url?.endsWith('/getUpdates') === true) requests += 1
      response.setHeader('content-type', 'application/json').end('{"ok":true,"result":[]}')
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const bot = createBot({ root: `http://127.0.0.1:${port}`, wait: 25 })
    const stopping = new AbortController()
    const timer = setTimeout(() => stopping.abort(), 2500)
    while (!stopping.signal.aborted) await bot.run(stopping.signal)
    clearTimeout(timer)
    server.close()
    expect(requests).toBeGreaterThan(0)
    expect(requests).toBeLessThan(5)
  })
})
