import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PaymentRegistry } from '@karvon/contract/payouts/payment-registries.ts'
import { selectCount } from '@karvon/testkit/extent.ts'
import type { NodeProcess } from '@karvon/testkit/node-process.ts'
import { afterAll, afterEach, expect, test } from 'vitest'
import type { Session } from '../../../test/app.ts'
import { listLedgerDifferences } from '../../../test/ledger-differences.ts'
import { createMoneyFixture, type PaidPerson } from '../../../test/money.ts'
import { sendToServer, startTestServer, type ServerAnswer } from '../../../test/worker.ts'

const kills = selectCount({ short: 2, long: 50 })
/** The withdrawals of a registry. With many, its transaction takes long enough for kills in the middle. */
const withdrawals = 200
/** Approved withdrawals of a person without money, which no registry has. */
const unpayable = 3
/** Milliseconds within which a repeated request is answered. */
const patience = 60_000
const path = '/api/admin/payment-registries/'

const { product, admin, otherAdmin, call, createPerson, insertApproved } = await createMoneyFixture()
let server: NodeProcess | undefined
afterEach(() => server?.kill())
afterAll(() => product.close())

const query = async <Row>(text: string) =>
  (await product.deps.pool.query<Row & Record<string, unknown>>(text)).rows

const start = () => startTestServer('keyed-server', product)

/** When the process is killed: before or after its first commit, or milliseconds after the request. */
type Moment = 'before' | 'after' | number

/** Sends the request once. Null if the process was killed before the answer. */
const send = (as: Session, ownHeaders: Record<string, string>) =>
  sendToServer(`${server?.url}${path}`, {
    method: 'POST',
    headers: { ...as.headers, 'content-type': 'application/json', ...ownHeaders },
    body: '{"currency":"UZS"}',
  })

/** Repeats a request with one key until the process answers it. Also answers how many were sent in vain. */
async function sendUntilAnswered(
  as: Session,
  moment?: Moment,
): Promise<ServerAnswer & { as: Session; key: string; lost: number }> {
  const key = randomUUID()
  const startTime = performance.now()
  for (let lost = 0; ; lost += 1) {
    const headers: Record<string, string> = { 'idempotency-key': key }
    if (lost === 0 && typeof moment === 'string') headers['x-die'] = moment
    const answer = await send(as, headers)
    if (answer !== null && (answer.status === 201 || answer.body.includes('no_withdrawals_to_send')))
      return { ...answer, as, key, lost }
    expect(answer?.status ?? 0, answer?.body).toBeOneOf([0, 409, 503])
    // A change without its stored answer: they were not in one transaction.
    expect(answer?.body ?? '').not.toContain('already_done')
    expect(performance.now() - startTime, `no answer but ${answer?.body}`).toBeLessThan(patience)
    await sleep(20)
  }
}

const download = async (id: number) =>
  (await call(admin, 'GET', `${path}${id}/payments/?format=csv`)).rawPayload

/** Expects that each withdrawal is sent and in one registry, or approved and in none. */
async function expectSentOnce(): Promise<void> {
  const wrong = await query(
    `select w.id, w.status, w.registry_id, array_agg(p.registry_id) as registries
     from withdrawals w left join registry_payments p on p.withdrawal_id = w.id group by w.id
     having not (w.status = 'sent' and count(p.id) = 1 and min(p.registry_id) = w.registry_id
       or w.status = 'approved' and count(p.id) = 0 and w.registry_id is null)`,
  )
  expect(wrong).toEqual([])
  const approved = `select count(*)::int as n from withdrawals where status = 'approved'`
  expect(await query(approved)).toEqual([{ n: unpayable }])
}

/** Expects that the file of a registry has the withdrawals that were sent with it, and answers the file. */
async function expectFile(id: number): Promise<Buffer> {
  const file = await download(id)
  const lines = file.toString().trimEnd().split('\r\n').slice(1)
  const sent = `select id from withdrawals where status = 'sent' and registry_id = ${id} order by id`
  expect(lines.map((line) => ({ id: Number.parseInt(line, 10) }))).toEqual(await query(sent))
  expect(lines).toHaveLength(withdrawals)
  return file
}

/** Two admins create a registry of new withdrawals. The process is killed at the moment, if there is one; another one continues. */
async function create(buyers: readonly PaidPerson[], moment?: Moment) {
  for (const buyer of buyers) await insertApproved(buyer, withdrawals / buyers.length, randomUUID())
  // The start takes longer than the rest, so it comes before the request.
  const next = moment === undefined ? server : await start()
  const answering = Promise.all([admin, otherAdmin].map((as) => sendUntilAnswered(as, moment)))
  if (moment !== undefined) {
    if (typeof moment === 'number') {
      await sleep(moment)
      await server?.kill()
    }
    await server?.ended
    server = next
  }
  const answers = await answering
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
  return answers
}

/** Expects that a repeat of the request has the same answer. */
async function expectSameAnswer({
  as,
  key,
  body,
}: Awaited<ReturnType<typeof sendUntilAnswered>>): Promise<void> {
  const headers = { ...as.headers, 'idempotency-key': key }
  const repeat = await product.app.inject({
    method: 'POST',
    url: path,
    headers,
    payload: { currency: 'UZS' },
  })
  expect([repeat.body, repeat.headers['idempotency-replayed']]).toEqual([body, 'true'])
}

test('a registry whose creation is killed (-9) at any moment has each withdrawal once, and its file keeps its bytes', async () => {
  const buyers = [await createPerson(1_000_000), await createPerson(1_000_000)]
  await insertApproved(await createPerson(1), unpayable, randomUUID())
  server = await start()
  const answers = await create(buyers)
  const startTime = performance.now()
  answers.push(...(await create(buyers)))
  const duration = performance.now() - startTime
  for (const moment of ['before', 'after'] as const) {
    const interrupted = await create(buyers, moment)
    // The other admin may get an answer between the commit and the kill.
    const created = interrupted.find(({ status }) => status === 201)
    expect(created?.lost, moment).toBeGreaterThan(0)
    answers.push(...interrupted)
  }
  for (let kill = 0; kill < kills; kill += 1)
    // Multiples of the golden ratio spread the moments evenly, whatever their number is.
    answers.push(...(await create(buyers, ((kill * 0.618) % 1) * duration)))

  const registries = answers.filter(({ status }) => status === 201)
  for (const answer of registries) await expectSameAnswer(answer)
  const ids = registries.map(({ body }) => (JSON.parse(body) as PaymentRegistry).id)
  expect(await query('select id from payment_registries order by id')).toEqual(ids.map((id) => ({ id })))
  await expectSentOnce()
  const files = []
  for (const id of ids) files.push(await expectFile(id))
  for (const [n, id] of ids.entries())
    expect(files[n]?.equals(await download(id)), `registry ${id}`).toBe(true)
  expect(await listLedgerDifferences(product.deps.pool)).toEqual([])
})
