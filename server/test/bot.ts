import { startTelegram } from '@karvon/testkit/fakes/telegram.ts'
import { createBotReader } from '../src/app/bot.ts'
import { botJob } from '../src/domains/notices/notices.bot.ts'
import { noticesJobs } from '../src/domains/notices/notices.jobs.ts'
import { openTelegram } from '../src/integrations/telegram/telegram.ts'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from './app.ts'
import type { JobName } from '../src/platform/jobs/jobs.ts'
import { sendFile } from './files.ts'
import { runJob } from './jobs.ts'
import { createUser, readId, readOwnId } from './people.ts'
import { createNoticeReaders } from '../src/app/notices.ts'

interface Person {
  id: number
  session: Session
}

/** A product with a bot, and two buyers with leads. Chat 501 is linked to `aziz` after each `reset`. */
export async function createBotFixture() {
  const telegram = await startTelegram('1:token')
  const { root } = telegram
  const product = await createTestApp(
    { KARVON_PUBLIC_URL: 'https://desk.example' },
    { telegram: { token: '1:token', chat: undefined, root, rate: null, answerWithin: 5000 } },
  )
  const { app, deps } = product
  const admin = await signInAdmin(app)
  const create = async (url: string, body: object) =>
    (await callApi(app, admin, 'POST', url, body)).json<{ id: number }>().id
  const read = async (session: Session): Promise<Person> => ({
    id: await readOwnId(app, session),
    session,
  })
  const source = await create('/api/admin/cpa-sources/', { name: 'One', url: 'https://one.example' })
  const role = await create('/api/admin/roles/', { name: 'Buyer', code: 'buyer', source_ids: [source] })
  const people = {
    admin: await read(admin),
    aziz: await read(await createUser(app, admin, 'aziz', role)),
    vali: await read(await createUser(app, admin, 'vali', role)),
  }
  await addLeads(product, source, people)

  const query = async (text: string, values: unknown[] = []) => (await deps.pool.query(text, values)).rows
  /** The bot of a process that has just started. */
  const createBot = ({ root = telegram.root, wait = 0 } = {}) => {
    const client = openTelegram({ ...deps.config.telegram, root })
    if (client === null) throw new Error('No bot')
    return botJob(deps, { telegram: client, bot: '1', reader: createBotReader(deps), wait })
  }
  let bot = createBot()
  const link = (chat: number, name: keyof typeof people) =>
    query(
      `insert into telegram_links (user_id, chat_id, linked_at) values ($1, $2, now())
       on conflict (user_id) do update set chat_id = excluded.chat_id`,
      [people[name].id, String(chat)],
    )
  /** The messages since the last call. */
  const takeMessages = () => telegram.messages.splice(0)
  const runNoticesJob = (name: JobName) => runJob(noticesJobs(deps, createNoticeReaders(deps), 0), name)
  /** Lets the bot read its updates. */
  const run = async () => {
    await bot.run(new AbortController().signal)
    return takeMessages()
  }
  return {
    telegram,
    product,
    people,
    createBot,
    query,
    link,
    run,
    /** Sends messages to the bot. Answers the texts of the replies. */
    ask: async (chat: number, ...texts: string[]) => {
      for (const text of texts) telegram.write(chat, text)
      return (await run()).map(({ text }) => text)
    },
    /** Runs the job that sends notices once. */
    sendNotices: async () => {
      await runNoticesJob('notices')
      return takeMessages()
    },
    /** Runs the job that deletes the state of unused chats until it has nothing to do. */
    deleteUnusedChats: async () => {
      while ((await runNoticesJob('telegram-chats-retention'))?.hasMore);
    },
    restart: () => {
      bot = createBot()
    },
    reset: async () => {
      telegram.mode = 'ok'
      takeMessages()
      for (const table of ['notices', 'telegram_links', 'telegram_chats']) await query(`delete from ${table}`)
      await query('update users set language = null, is_active = true')
      bot = createBot()
      await link(501, 'aziz')
    },
    close: async () => {
      await product.close()
      await telegram.close()
    },
  }
}

/** Two leads of today and three of yesterday, of which two were stored by this time. */
async function addLeads(
  { app, deps }: Product,
  source: number,
  { admin: { session: admin }, aziz, vali }: Record<'admin' | 'aziz' | 'vali', Person>,
): Promise<void> {
  const query = async (text: string, values: unknown[] = []) => (await deps.pool.query(text, values)).rows
  await query(
    `insert into payout_terms (user_id, valid_from, earned_at, fixed, hold_days, minimum)
     values ($1, '2020-01-01', 'sold', 1500.50, 0, 0)`,
    [aziz.id],
  )
  const [moments] = await query(`select now() as today, now() - interval '1 day' as yesterday,
    current_date::timestamptz - interval '1 millisecond' as evening`)
  const { today, yesterday, evening } = moments as Record<'today' | 'yesterday' | 'evening', string>
  const content = [
    'external_id,created_at,status,payout,stream',
    `1,${today},accepted,2000,Reels`,
    `2,${today},cancel,2000,Reels`,
    `3,${yesterday},accepted,2000,Reels`,
    `4,${yesterday},accepted,2000,Reels`,
    `5,${evening},accepted,2000,Reels`,
    `6,${today},accepted,2000,Another`,
  ].join('\n')
  const file = { name: 'l.csv', content }
  const url = '/api/admin/leads/import/'
  await sendFile(app, admin, url, file, { source_id: String(source) })
  // Yesterday the fourth lead was cancelled; today it was accepted.
  await query(`update lead_history set recorded_at = now() - interval '1 day', status_id = case when l.external_id = '4'
      then (select s.id from statuses s join status_types t on t.id = s.type_id where t.code = 'cancel' order by s.id limit 1)
      else lead_history.status_id end
    from leads l where l.id = lead_id and l.external_id in ('3', '4')`)
  for (const [name, { id }] of [['Reels', aziz] as const, ['Another', vali] as const])
    await callApi(
      app,
      admin,
      'PUT',
      `/api/admin/streams/${await readId(app, admin, `/api/admin/streams/?name=${name}`)}`,
      { user_id: id },
    )
  const soldFile = { name: 's.csv', content: `external_id,created_at,status,payout\n1,${today},sold,2000` }
  await sendFile(app, admin, url, soldFile, { source_id: String(source) })
  await query(
    `insert into ledger_entries (cause_type, cause_id, account_kind, ref_id, currency, amount, created_at)
     select 'lead', 3, kind, id, 'UZS', amount, now() - interval '1 day'
     from (values ('person', $1::bigint, -300), ('margin', 0, 300)) e (kind, id, amount)`,
    [aziz.id],
  )
}
