import { cpaSources } from '@karvon/contract/cpa-sources/cpa-sources.ts'
import { startMeasoft, type FakeMeasoft } from '@karvon/testkit/fakes/measoft.ts'
import { startSmtp } from '@karvon/testkit/fakes/smtp.ts'
import { startTelegram } from '@karvon/testkit/fakes/telegram.ts'
import { startTracker } from '@karvon/testkit/fakes/tracker.ts'
import { postbackTemplates } from '@karvon/contract/postback-templates/postback-templates.ts'
import { streams } from '@karvon/contract/streams/streams.ts'
import { createJobs } from '../src/app/jobs.ts'
import { ingestParcels } from '../src/domains/parcels/parcels.ingest.ts'
import { syncKinds } from '../src/app/syncs.ts'
import { syncJobs } from '../src/domains/syncs/syncs.engine.ts'
import { ingestLeads } from '../src/domains/leads/leads.ingest.ts'
import { findParcelState } from '../src/domains/parcels/parcels.codes.ts'
import { liveAccounts } from './accounts.ts'
import { ask, createTestApp, firstAdmin, signIn } from './app.ts'
import { pdf } from './archives.ts'
import { sendFile } from './files.ts'
import { buildLead } from './lead-database.ts'
import { ago, day } from './moment.ts'
import { createUser } from './people.ts'
import { createSample } from './sample.ts'

const login = { extra: '8', login: 'karvon', pass: 'secret' }

export type PausedDesk = Awaited<ReturnType<typeof openPausedDesk>>

/** A desk with work of every kind that waits to be done, and the outside systems that it is for. */
export async function openPausedDesk() {
  const [telegram, tracker, courier, smtp] = await Promise.all([
    startTelegram('1:token'),
    startTracker(),
    startMeasoft(login),
    startSmtp(),
  ])
  const product = await createTestApp({
    ...liveAccounts(smtp.url),
    KARVON_OUTBOUND_ALLOW: [tracker.url, courier.url].map((url) => new URL(url).host).join(','),
    KARVON_TELEGRAM_TOKEN: '1:token',
    KARVON_TELEGRAM_CHAT: '700',
    KARVON_TELEGRAM_ROOT: telegram.root,
  })
  const { app, deps } = product
  const admin = await signIn(app, firstAdmin.username, firstAdmin.password)
  const aziz = await createUser(app, admin, 'aziz')
  const { id: azizId } = (await ask(app, aziz, 'GET', '/parcel/auth/me')).json<{ id: number }>()
  const account = { name: 'MeaSoft', url: courier.url, ...login, user_id: azizId }
  await ask(app, admin, 'POST', '/api/admin/courier-accounts/', account)
  const desk = {
    product,
    admin,
    aziz,
    azizId,
    telegram,
    tracker,
    courier,
    smtp,
    source: 0,
    query: async <Row>(text: string, values: unknown[] = []) =>
      (await deps.pool.query<Row & Record<string, unknown>>(text, values)).rows,
    /** Cuts a run of a job off at its beginning, and then lets it run as after a new start until nothing is left. */
    async run(name: string) {
      const find = () => createJobs(deps).find((job) => job.name === name)
      await find()
        ?.run(AbortSignal.abort())
        .catch(() => {})
      const job = find()
      while ((await job?.run(new AbortController().signal))?.more === true) continue
    },
    /** As `run`, what is fetched from the courier, without its pauses. */
    async fetchCourier() {
      const [, kind] = syncKinds(deps, true)
      if (kind === undefined) throw new Error('There is no courier')
      const [job] = syncJobs(deps, [kind])
      while ((await job?.run(new AbortController().signal))?.more === true) continue
    },
    /** A request with an Idempotency-Key, the same each time; whether it was answered as a repeat. */
    async keyed() {
      const headers = { ...admin.headers, 'idempotency-key': 'before the pause' }
      const payload = { name: 'Keyed', url: 'https://keyed.example' }
      const answer = await app.inject({ method: 'POST', url: '/api/admin/cpa-sources/', headers, payload })
      return answer.headers['idempotency-replayed'] === 'true'
    },
    async close() {
      await product.close()
      await Promise.all([telegram, tracker, courier, smtp].map((each) => each.close()))
    },
  }
  await leaveWork(desk)
  return desk
}

/** A parcel of the courier's with these statuses, each as long before the present as `at` says. */
export function tellParcel(
  courier: FakeMeasoft,
  orderno: string,
  statuses: { code: string; at: string }[],
): void {
  const unsaid = { person: 'A', phone: '1', town: 'T', address: 'A', weight: '1', price: '1' }
  const events = statuses.map(({ code, at }) => ({ code, title: code, eventtime: localTime(at) }))
  courier.publish({ orderno, ...unsaid, statuses: events })
}

/** As the courier writes it, in the time zone of the tests' installation. */
const localTime = (iso: string) =>
  new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Asia/Tashkent',
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(new Date(iso))

type Unfinished = Omit<PausedDesk, 'close'>

async function leaveWork(desk: Unfinished): Promise<void> {
  const { app, deps } = desk.product
  const { admin, aziz, azizId, query } = desk
  desk.source = (await createSample(app, admin, cpaSources)).id
  const network = { origin: 'connector' } as const
  const at = ago(60 * day)
  const stream = await createSample(app, admin, streams, { source_id: desk.source, offer_id: null })
  const url = `${desk.tracker.url}/?s={status}&id={lead_id}`
  const template = { stream_id: stream.id, state: null, is_active: true, url }
  await createSample(app, admin, postbackTemplates, template)

  // A lead that came after the outcome of its parcel, one whose word was mapped since, one that a tracker waits for.
  const state = findParcelState('COMPLETE')
  if (state === undefined) throw new Error('COMPLETE')
  const none = { owner_id: null, day: null, barcode: null, type_name: null, weight: null, quantity: null }
  const unsaid = { service_name: null, delivery_price: null, person: null, company: null, phone: null }
  const outcome = { orderno: 'late', state, eventtime: ago(59 * day), address: null, town: null }
  await ingestParcels(deps.db, [{ ...outcome, ...none, ...unsaid }])
  await ingestLeads(
    deps.db,
    desk.source,
    [buildLead('late', { source_status: 'sent', updated_at: at })],
    network,
  )
  await ingestLeads(
    deps.db,
    desk.source,
    [buildLead('mapped', { source_status: 'mystery', updated_at: at })],
    network,
  )
  const meaning = `select $1, 'Mystery', 'mystery', id from statuses where name = 'Sold' limit 1`
  await query(`insert into source_statuses (source_id, name, source_name, status_id) ${meaning}`, [
    desk.source,
  ])
  await query(`insert into lead_remaps (source_id, source_status) values ($1, 'mystery')`, [desk.source])
  for (const [n, source_status] of ['sent', 'hold', 'sold'].entries()) {
    const told = { stream_id: stream.id, source_status, updated_at: ago((50 - n) * day) }
    await ingestLeads(deps.db, desk.source, [buildLead('tracked', told)], network)
  }
  await query(
    'delete from outgoing_postbacks where lead_id <> (select id from leads where external_id = $1)',
    ['tracked'],
  )
  await query(`update outgoing_postbacks set leased_until = now() + interval '30 s'
    where id = (select min(id) from outgoing_postbacks)`)

  // One upload that Telegram could not take, and one that a process was sending when it died.
  desk.telegram.mode = 'broken'
  for (const name of ['broken.pdf', 'killed.pdf'])
    await sendFile(app, aziz, '/api/parcel/files/upload/', { name, content: pdf() })
  desk.telegram.mode = 'ok'
  await query(`update uploads set leased_until = now() + interval '100 s' where name = 'killed.pdf'`)

  // A chat that wants everything, and a courier that was asked a moment ago.
  await query(
    `insert into telegram_links (user_id, chat_id, digest, digest_since, linked_at)
     values ($1, '501', true, now(), now())`,
    [azizId],
  )
  await desk.fetchCourier()
  await desk.keyed()
  await query(`insert into reset_requests (email) select email from users where id = $1`, [azizId])
  await query(`insert into sign_in_failures (key, failures, last_at, blocked_until)
    values ('account:guessed', 9, now(), now() + interval '5 minutes')`)
}
