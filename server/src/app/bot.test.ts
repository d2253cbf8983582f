import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createBotFixture } from '../../test/bot.ts'
import { callApi } from '../../test/app.ts'
import { ago, day, hour, now } from '../../test/moment.ts'
import { buildParcelEvent } from '../../test/parcel.ts'
import { storeParcels } from '../domains/parcels/parcels.store.ts'

const { telegram, product, people, query, link, run, ask, sendNotices, reset, close } =
  await createBotFixture()
afterAll(close)
beforeEach(reset)

describe('Commands of the bot', () => {
  test('/today shows the own leads and earnings, and those of yesterday until the same time', async () => {
    const [text] = await ask(501, '/today')
    expect(text?.split('\n')).toEqual([
      expect.stringMatching(/^Сегодня к \d\d:\d\d, в скобках вчера к этому времени$/),
      'Лиды: 2 (2)',
      'Подтверждено: 1 (1)',
      'Заработано, UZS: 1\u00A0500,50 (300)',
    ])
    await link(502, 'vali')
    expect((await ask(502, '/today'))[0]?.split('\n').slice(1)).toEqual([
      'Лиды: 1 (0)',
      'Подтверждено: 1 (0)',
      'Заработано, UZS: 0 (0)',
    ])
    await link(503, 'admin')
    expect((await ask(503, '/today'))[0]?.split('\n').slice(1)).toEqual([
      'Лиды: 3 (2)',
      'Подтверждено: 2 (1)',
      'Заработано, UZS: 2\u00A0000 (0)',
    ])
  })

  test('/today leaves out the leads of a source that the role can no longer see', async () => {
    const removedAccess = await query('delete from role_source_access returning role_id, source_id')
    try {
      expect((await ask(501, '/today'))[0]).toContain('Лиды: 0 (0)')
    } finally {
      for (const { role_id, source_id } of removedAccess)
        await query('insert into role_source_access (role_id, source_id) values ($1, $2)', [
          role_id,
          source_id,
        ])
    }
  })

  test('/balance shows the own balance with a link to the screen', async () => {
    await query('update users set language = $1 where id = $2', ['en', people.aziz.id])
    const { available, on_hold, requested } = (
      await callApi(product.app, people.aziz.session, 'GET', '/api/user/balance')
    ).json<Record<'available' | 'on_hold' | 'requested', number>>()
    expect([available, on_hold, requested]).toEqual([1800.5, 0, 0])
    expect(await ask(501, '/balance')).toEqual([
      'Balance, UZS\nAvailable: 1,800.50\nOn hold: 0\nRequested: 0\n\nhttps://desk.example/money',
    ])
    await link(502, 'vali')
    expect(await ask(502, '/balance@karvon_bot')).toEqual([
      'Баланс, UZS\nДоступно: 0\nВ холде: 0\nЗапрошено: 0\n\nhttps://desk.example/money',
    ])
  })

  test('/find shows the status of an own parcel, and gives the same answer for an unknown parcel and for a parcel of another person', async () => {
    const eventtime = ago(3 * day)
    await storeParcels(product.deps.db, [
      buildParcelEvent('A-1', 'DELIVERY', { owner_id: people.aziz.id, eventtime }),
      buildParcelEvent('V-1', 'COMPLETE', { owner_id: people.vali.id, eventtime }),
      buildParcelEvent('A-1', 'LOST', { owner_id: people.vali.id, eventtime: ago(4 * day) }),
    ])
    const foundPattern = /^Посылка A-1\nВ пути: Выдан курьеру на доставку, \d\d\.\d\d\.\d{4}, \d\d:\d\d$/
    expect(await ask(501, '/find A-1', '/FIND  \u200Ea-1 \u200B')).toEqual([
      expect.stringMatching(foundPattern),
      expect.stringMatching(foundPattern),
    ])
    const notFoundText = 'Такой посылки нет.'
    expect(
      await ask(501, '/find V-1', '/find A-2', `/find ${'9'.repeat(4000)}`, '/find A%', '/find A\0'),
    ).toEqual([notFoundText, notFoundText, notFoundText, notFoundText, notFoundText])
    expect(await ask(501, '/find')).toEqual(['Напишите номер заказа после команды: /find 12345'])
    await link(503, 'admin')
    expect(
      (await ask(503, '/find A-1'))[0]?.split('\n\n').map((paragraph) => paragraph.split('\n')[2]),
    ).toEqual(['aziz', 'vali'])
    await query('update users set language = $1', ['uz'])
    expect((await ask(501, '/find A-1'))[0]).toMatch(/^A-1 jo‘natmasi\nYo‘lda, /)
  })

  test('/mute turns notices off for a time and on again, with words of any language', async () => {
    telegram.write(501, '/mute')
    const [menu] = await run()
    expect(menu?.buttons).toEqual(['/mute 1 час', '/mute до завтра', '/mute всегда', '/mute включить'])
    const read = async () =>
      (await callApi(product.app, people.aziz.session, 'GET', '/parcel/auth/telegram/')).json<{
        muted: boolean
        muted_until: string | null
      }>()
    expect(await read()).toMatchObject({ muted: false, muted_until: null })
    const sendNotice = async () => {
      await storeParcels(product.deps.db, [
        buildParcelEvent(`M-${performance.now()}`, 'LOST', {
          owner_id: people.aziz.id,
          eventtime: new Date(now()).toISOString(),
        }),
      ])
      return (await sendNotices()).length
    }
    for (const word of ['1 час', '1 SOAT', 'hour']) {
      await query('update telegram_links set muted_until = null')
      expect((await ask(501, `/mute ${word}`))[0]).toMatch(/^Уведомления отключены до .*\/mute off$/)
      expect(Date.parse((await read()).muted_until ?? '') - now()).toBeGreaterThan(0.99 * hour)
    }
    expect(await sendNotice()).toBe(0)
    expect((await ask(501, '/mute ertagacha'))[0]).toMatch(/до .*, 09:00\. /)
    expect(await ask(501, '/mute always')).toEqual(['Уведомления отключены. Включить: /mute off'])
    expect(await read()).toMatchObject({ muted: true, muted_until: null })
    expect(await sendNotice()).toBe(0)
    expect(await ask(501, '/mute off')).toEqual(['Уведомления включены.'])
    expect(await sendNotice()).toBe(1)
    expect(await query(`select count(*)::int as n from notices where kind = 'problem'`)).toEqual([{ n: 1 }])
  })

  test('a mute stops queued notices, except notices about the security of the account', async () => {
    await query(
      `insert into notices (user_id, kind, once, message, params)
       values ($1, 'problem', 'queued', 'parcel_lost', '{"orderno":"1","status":"LOST"}')`,
      [people.aziz.id],
    )
    await ask(501, '/mute always')
    await callApi(product.app, people.admin.session, 'PUT', `/api/admin/users/${people.aziz.id}`, {
      email: 'new@example.uz',
    })
    expect((await sendNotices()).map(({ text }) => text)).toEqual([
      expect.stringMatching(/^Karvon: в вашей учётной записи изменён email/),
    ])
    expect(await query(`select status, last_error from notices where kind = 'problem'`)).toEqual([
      { status: 'refused', last_error: 'The person turned notices off for a time' },
    ])
  })

  test('a queued notice of a kind that its person turned off meanwhile is refused', async () => {
    for (const kind of ['problem', 'delivered', 'digest', 'money', 'security'])
      await query(`insert into notices (user_id, kind, once, text) values ($1, $2, 'kind ' || $2, $2)`, [
        people.aziz.id,
        kind,
      ])
    const choices = { problems: false, delivered: true, digest: false, money: false }
    const { session } = people.aziz
    const answer = await callApi(product.app, session, 'PUT', '/parcel/auth/telegram/', choices)
    expect(answer.statusCode, answer.body).toBe(200)
    expect((await sendNotices()).map(({ text }) => text)).toEqual(['delivered', 'security'])
    expect(
      await query(`select kind, status, last_error from notices where status <> 'sent' order by id`),
    ).toEqual(
      ['problem', 'digest', 'money'].map((kind) => ({
        kind,
        status: 'refused',
        last_error: 'The person turned notices of this kind off',
      })),
    )
  })

  test('/language changes the language of every answer', async () => {
    telegram.write(501, '/language')
    expect((await run())[0]?.buttons).toEqual([
      '/language Русский',
      '/language O‘zbekcha',
      '/language English',
    ])
    expect(await ask(501, "/language o'zbekcha", '/mute off', '/language en', '/mute off')).toEqual([
      'Bot va xatlar endi o‘zbek tilida.',
      'Bildirishnomalar yoqildi.',
      'The bot and mails are in English now.',
      'Notices are on.',
    ])
    const profile = await callApi(product.app, people.aziz.session, 'GET', '/parcel/auth/profile')
    expect(profile.json()).toMatchObject({ language: 'en' })
  })

  test('any other text is answered with the list of commands, and the menu has the commands in each language', async () => {
    const [help, again] = await ask(501, 'привет', '/unknown x')
    expect(help).toBe(again)
    expect(help?.split('\n')).toHaveLength(8)
    expect(help).toContain('/today — лиды и заработок за сегодня')
    expect([...telegram.commands].map(([language, commands]) => [language, commands[1]])).toEqual([
      ['', 'balance: баланс'],
      ['ru', 'balance: баланс'],
      ['uz', 'balance: balans'],
      ['en', 'balance: balance'],
    ])
  })
})
