import { cpaSources } from '@karvon/contract/cpa-sources/cpa-sources.ts'
import { startMeasoft, type FakeMeasoft } from '@karvon/testkit/fakes/measoft.ts'
import { startSmtp } from '@karvon/testkit/fakes/smtp.ts'
import { startTelegram } from '@karvon/testkit/fakes/telegram.ts'
import { startTracker } from '@karvon/testkit/fakes/tracker.ts'
import { postbackTemplates } from '@karvon/contract/postback-templates/postback-templates.ts'
import { streams } from '@karvon/contract/streams/streams.ts'
import { createJobs } from '../src/app/jobs.ts'
import { ingestParcels } from '../src/domains/parcels/parcels.ingest.ts'
import { ingestLeads } from '../src/domains/leads/leads.ingest.ts'
import { buildAccountsEnv } from './accounts.ts'
import { callApi, createTestApp, signInAdmin } from './app.ts'
import { buildPdf } from './archives.ts'
import { sendFile } from './files.ts'
import { runCourierSyncs } from './jobs.ts'
import { buildLead } from './lead-database.ts'
import { ago, day } from './moment.ts'
import { buildParcelEvent } from './parcel.ts'
import { createUser, readOwnId } from './people.ts'
import { createSample } from './sample.ts'

const login = { extra: '8', login: 'karvon', pass: 'secret' }

export type PausedFixture = Awaited<ReturnType<typeof createPausedFixture>>

/** Creates a product with pending work of every kind, and the fakes that the work needs. */
export async function createPausedFixture() {
  const [telegram, tracker, courier, smtp] = await Promise.all([
    startTelegram('1:token'),
    startTracker(),
    startMeasoft(login),
    startSmtp(),
  ])
  const product = await createTestApp({
    ...buildAccountsEnv(smtp.url),
    KARVON_OUTBOUND_ALLOW: [tracker.url, courier.url].map((url) => new URL(url).host).join(','),
    KARVON_TELEGRAM_TOKEN: '1:token',
    KARVON_TELEGRAM_CHAT: '700',
    KARVON_TELEGRAM_ROOT: telegram.root,
  })
  const { app, deps } = product
  const admin = await signInAdmin(app)
  const aziz = await createUser(app, admin, 'aziz')
  const azizId = await readOwnId(app, aziz)
  const account = { name: 'MeaSoft', url: courier.url, ...login, user_id: azizId }
  await callApi(app, admin, 'POST', '/api/admin/courier-accounts/', account)
  const fixture = {
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
    /** Aborts a run of a job at its start. Then runs the job as after a restart until nothing is left. */
    async runAfterAbort(name: string) {
      const find = () => createJobs(deps).find((job) => job.name === name)
      await find()
        ?.run(AbortSignal.abort())
        .catch(() => {})
      const job = find()
      while ((await job?.run(new AbortController().signal))?.hasMore === true) continue
    },
    /** Syncs the courier without pauses. */
    async syncCourier() {
      await runCourierSyncs(deps)
    },
    /** Sends the same request with the same Idempotency-Key. Returns whether the answer is a repeat. */
    async sendKeyedRequest() {
      const headers = { ...admin.headers, 'idempotency-key': 'before the pause' }
      const payload = { name: 'Keyed', url: 'https://keyed.example' }
      const answer = await app.inject({ method: 'POST', url: '/api/admin/cpa-sources/', headers, payload })
      return answer.headers['idempotency-replayed'] === 'true'
    },
    async close() {
      await product.close()
      await Promise.all([telegram, tracker, courier, smtp].map((server) => server.close()))
    },
  }
  await createPendingWork(fixture)
  return fixture
}

/** Publishes a parcel of the courier with these statuses. */
export function publishParcel(
  courier: FakeMeasoft,
  orderno: string,
  statuses: { code: string; at: string }[],
): void {
  const emptyFields = { person: 'A', phone: '1', town: 'T', address: 'A', weight: '1', price: '1' }
  const events = statuses.map(({ code, at }) => ({ code, title: code, eventtime: formatLocalTime(at) }))
  courier.publish({ orderno, ...emptyFields, statuses: events })
}

/** Formats a time as the courier does, in the time zone of the installation. */
const formatLocalTime = (iso: string) =>
  new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Asia/Tashkent',
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(new Date(iso))

type FixtureData = Omit<PausedFixture, 'close'>

async function createPendingWork(fixture: FixtureData): Promise<void> {
  const { app, deps } = fixture.product
  const { admin, aziz, azizId, query } = fixture
  fixture.source = (await createSample(app, admin, cpaSources)).id
  const network = { origin: 'connector' } as const
  const at = ago(60 * day)
  const stream = await createSample(app, admin, streams, { source_id: fixture.source, offer_id: null })
  const url = `${fixture.tracker.url}/?s={status}&id={lead_id}`
  const template = { stream_id: stream.id, state: null, is_active: true, url }
  await createSample(app, admin, postbackTemplates, template)

  // A lead after the outcome of its parcel, a lead to remap, and a lead with outgoing postbacks.
  await ingestParcels(deps.db, [buildParcelEvent('late', 'COMPLETE', { eventtime: ago(59 * day) })])
  await ingestLeads(deps.db, {
    sourceId: fixture.source,
    leads: [buildLead('late', { source_status: 'sent', updated_at: at })],
    ...network,
  })
  await ingestLeads(deps.db, {
    sourceId: fixture.source,
    leads: [buildLead('mapped', { source_status: 'mystery', updated_at: at })],
    ...network,
  })
  const mappingQuery = `select $1, 'Mystery', 'mystery', id from statuses where name = 'Sold' limit 1`
  await query(`insert into source_statuses (source_id, name, source_name, status_id) ${mappingQuery}`, [
    fixture.source,
  ])
  await query(`insert into lead_remaps (source_id, source_status) values ($1, 'mystery')`, [fixture.source])
  for (const [n, source_status] of ['sent', 'hold', 'sold'].entries()) {
    const leadState = { stream_id: stream.id, source_status, updated_at: ago((50 - n) * day) }
    await ingestLeads(deps.db, {
      sourceId: fixture.source,
      leads: [buildLead('tracked', leadState)],
      ...network,
    })
  }
  await query(
    'delete from outgoing_postbacks where lead_id <> (select id from leads where external_id = $1)',
    ['tracked'],
  )
  await query(`update outgoing_postbacks set leased_until = now() + interval '30 s'
    where id = (select min(id) from outgoing_postbacks)`)

  // An upload that Telegram refused, and one whose process was killed while it sent it.
  fixture.telegram.mode = 'broken'
  for (const name of ['broken.pdf', 'killed.pdf'])
    await sendFile(app, aziz, '/api/parcel/files/upload/', { name, content: buildPdf() })
  fixture.telegram.mode = 'ok'
  await query(`update uploads set leased_until = now() + interval '100 s' where name = 'killed.pdf'`)

  // A chat with all notices, and a courier that was synced a moment ago.
  await query(
    `insert into telegram_links (user_id, chat_id, digest, digest_since, linked_at)
     values ($1, '501', true, now(), now())`,
    [azizId],
  )
  await fixture.syncCourier()
  await fixture.sendKeyedRequest()
  await query(`insert into reset_requests (email) select email from users where id = $1`, [azizId])
  await query(`insert into sign_in_failures (key, failures, last_at, blocked_until)
    values ('account:guessed', 9, now(), now() + interval '5 minutes')`)
}
