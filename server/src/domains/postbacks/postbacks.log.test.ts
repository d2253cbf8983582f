import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@karvon/contract/lib/page.ts'
import type { Postback } from '@karvon/contract/postbacks/postbacks.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { callApi } from '../../../test/app.ts'
import { duringDelete } from '../../../test/during-delete.ts'
import { createUser } from '../../../test/people.ts'
import { openPostbacks, type Postbacks } from '../../../test/postbacks.ts'
import { retentionDays, postbacksJobs } from './postbacks.jobs.ts'

let network: Postbacks
beforeAll(async () => {
  network = await openPostbacks()
})
beforeEach(() => network.newSource())
afterAll(() => network.close())

const newest = async (): Promise<Postback> => {
  const [item] = (await network.log()).items
  if (item === undefined) throw new Error('The log is empty')
  return item
}
const replay = (id: number) => network.admin<Postback>('POST', `/api/admin/postbacks/${id}/replay/`)
const refusedReplay = async (id: number) => {
  const answer = await callApi(
    network.product.app,
    network.signed,
    'POST',
    `/api/admin/postbacks/${id}/replay/`,
  )
  return [answer.statusCode, answer.json<{ detail: string }>().detail]
}
const rename = (sourceStatus: string, status: string) =>
  network.admin<Page<{ id: number }>>('GET', `/api/admin/statuses/?name=${status}`).then(({ items }) =>
    network.admin('POST', '/api/admin/source-statuses/', {
      name: sourceStatus,
      source_name: sourceStatus,
      status_id: items[0]?.id,
      source_id: network.source,
    }),
  )

describe('Postback log', () => {
  test('a postback whose stream is deleted meanwhile is stored without the stream', async () => {
    const id = await network.newStream({ name: 'Gone' })
    const postback = { tid: 'gone', status: 'sold', click: String(id) }
    const { pool } = network.product.deps
    const answer = await duringDelete(pool, { table: 'streams', id }, () => network.get(postback))
    expect(answer).toMatchObject({ status: 200, body: { outcome: 'created', reason: 'unknown_stream' } })
    expect(await network.lead('gone')).toMatchObject({ stream: null, column: 'sold' })
    expect(await newest()).toMatchObject({ external_id: 'gone', outcome: 'created' })
  })

  test('the postback log is filtered, searched, sorted and paged', async () => {
    for (const tid of ['ab-1', 'ab-2', 'b-ab'])
      await network.get({ tid, status: tid === 'ab-2' ? 'strange' : 'sold' })
    await network.get({ tid: 'ab-1' })
    await network.get({ tid: 'ab-1', status: 'sold' })
    const ids = async (query: string) =>
      (await network.log(query)).items.map(({ external_id: id, outcome }) => `${id} ${outcome}`)
    const allIds = ['ab-1 unchanged', 'ab-1 refused', 'b-ab created', 'ab-2 created', 'ab-1 created']
    expect(await ids('')).toEqual(allIds)
    expect(await ids('sort=id')).toEqual(allIds.toReversed())
    expect(await ids('sort=at')).toEqual(allIds.toReversed())
    expect(await ids('outcome=created')).toEqual(['b-ab created', 'ab-2 created', 'ab-1 created'])
    expect(await ids('reason=unmapped_status')).toEqual(['ab-2 created'])
    expect(await ids('reason=missing_value')).toEqual(['ab-1 refused'])
    expect(await ids('reason=duplicate')).toEqual(['ab-1 unchanged'])
    expect(await ids('external_id=ab-2')).toEqual(['ab-2 created'])
    expect(await ids('search=ab')).toEqual(['ab-1 unchanged', 'ab-1 refused', 'ab-2 created', 'ab-1 created'])
    expect(await ids('search=%25')).toEqual([])
    expect(await ids('per_page=2&page=2')).toEqual(['b-ab created', 'ab-2 created'])
    expect((await network.log('outcome=created&per_page=1')).meta.total).toBe(3)
  })

  test("the postback log's period is in days of the installation and includes both ends", async () => {
    const { pool } = network.product.deps
    await network.get({ tid: '1', status: 'sold' })
    const count = async (from: string, to: string) =>
      (await network.log(`start_date=${from}&end_date=${to}`)).items.length
    await pool.query(`update postbacks set at = '2026-11-10T23:59:59.999+05:00' where source_id = $1`, [
      network.source,
    ])
    expect(await count('2026-11-10', '2026-11-10')).toBe(1)
    expect([await count('2026-11-11', '2026-11-12'), await count('2026-11-01', '2026-11-09')]).toEqual([0, 0])
  })

  test("a postback's log row and its lead are stored together or not at all", async () => {
    const { pool } = network.product.deps
    await pool.query(`alter table postbacks add constraint torn check (external_id <> 'torn')`)
    const answer = await network.get({ tid: 'torn', status: 'sold' })
    await pool.query('alter table postbacks drop constraint torn')
    expect(answer.status).toBe(500)
    expect(await network.lead('torn')).toBeUndefined()
    expect((await network.get({ tid: 'torn', status: 'sold' })).body.outcome).toBe('created')
  })

  test('the export of the postback log holds all matching rows', async () => {
    await network.get({ tid: '=1+1', status: 'sold', comment: 'a, b' })
    const url = `/api/admin/postbacks/?source_id=${network.source}&format=csv`
    const answer = await callApi(network.product.app, network.signed, 'GET', url)
    expect(answer.statusCode).toBe(200)
    const [head = '', ...lines] = answer.body.trim().split('\r\n')
    expect(head).toContain(
      'id,at,source_id,source,method,address,params,external_id,source_status,outcome,reason',
    )
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(`,'=1+1,sold,created,`)
  })

  test('log, replay and key rotation are refused to a regular person with 403', async () => {
    const { app } = network.product
    const person = await createUser(app, network.signed, 'buyer')
    for (const [method, url] of [
      ['GET', '/api/admin/postbacks/'],
      ['POST', '/api/admin/postbacks/1/replay/'],
      ['POST', `/api/admin/cpa-sources/${network.source}/rotate-postback-key/`],
    ] as const)
      expect((await callApi(app, person, method, url)).statusCode, url).toBe(403)
  })

  test(`a postback is kept for ${retentionDays} days, then until its month ends, and its lead for ever`, async () => {
    const { deps } = network.product
    for (const tid of ['old', 'kept']) await network.get({ tid, status: 'sold' })
    const age = `update postbacks set at = now() - make_interval(days => $2) where external_id = $1 and source_id = $3`
    await deps.pool.query(age, ['old', retentionDays + 33, network.source])
    await deps.pool.query(age, ['kept', retentionDays, network.source])
    for (const job of postbacksJobs(deps)) await job.run(new AbortController().signal)
    expect((await network.log()).items.map(({ external_id: id }) => id)).toEqual(['kept'])
    expect(await network.lead('old')).toMatchObject({ source_status: 'sold' })
  })
})

describe('Replays', () => {
  test('a replay gives a lead its stream once the stream exists', async () => {
    await network.get({ tid: '1', status: 'sold', payout: '5', click: 'Later' })
    const postback = await newest()
    const { updated_at } = (await network.lead('1')) ?? {}
    expect(await replay(postback.id)).toMatchObject({
      id: postback.id,
      outcome: 'unchanged',
      reason: 'unknown_stream',
    })
    const stream = await network.newStream({ name: 'Later' })
    const again = await replay(postback.id)
    expect(again).toMatchObject({
      ...postback,
      outcome: 'updated',
      reason: null,
      detail: 'The lead is changed.',
      replayed_at: again.replayed_at,
    })
    expect(Date.parse(again.replayed_at ?? '')).toBeGreaterThan(Date.parse(postback.at))
    expect(await network.lead('1')).toMatchObject({ stream: { id: stream }, updated_at, payout: 5 })
    expect(await replay(postback.id)).toMatchObject({ outcome: 'unchanged', reason: 'duplicate' })
    expect((await network.log()).meta.total).toBe(1)
  })

  test('a replay keeps the stream and the newer state that the lead got after the postback', async () => {
    const otherStream = await network.newStream({ name: 'First' })
    await network.get({ tid: '1', status: 'hold', payout: '5', click: 'Later' })
    const postback = await newest()
    await sleep(5)
    await network.get({ tid: '1', status: 'sold', payout: '6', click: 'First' })
    await network.newStream({ name: 'Later' })
    expect(await replay(postback.id)).toMatchObject({ outcome: 'unchanged', reason: 'older_state' })
    expect(await network.lead('1')).toMatchObject({
      source_status: 'sold',
      payout: 6,
      stream: { id: otherStream },
    })
  })

  test("a replay with the lead's present state keeps the stream that it got after the postback", async () => {
    const otherStream = await network.newStream({ name: 'First' })
    const params = { tid: '1', status: 'sold', updated_at: '2026-11-20T10:00:00Z' }
    await network.get({ ...params, click: 'Later' })
    const postback = await newest()
    await network.get({ ...params, click: 'First' })
    await network.newStream({ name: 'Later' })
    expect(await network.lead('1')).toMatchObject({ stream: { id: otherStream } })
    expect(await replay(postback.id)).toMatchObject({ outcome: 'unchanged' })
    expect(await network.lead('1')).toMatchObject({ stream: { id: otherStream } })
  })

  test('a replay uses a mapping made after the postback', async () => {
    const first = await network.get({ tid: '1', status: 'odd', payout: '5' })
    expect(first.body).toMatchObject({ outcome: 'created', reason: 'unmapped_status' })
    expect(first.body.detail).toContain('odd')
    expect(await network.lead('1')).toMatchObject({ source_status: 'odd', column: null })
    const postback = await newest()
    expect(await replay(postback.id)).toMatchObject({ outcome: 'unchanged', reason: 'unmapped_status' })
    await rename('odd', 'Sold')
    expect((await replay(postback.id)).reason).not.toBe('unmapped_status')
    expect(await network.lead('1')).toMatchObject({ source_status: 'odd', column: 'sold' })
  })

  test('a replay accepts a postback refused for an inactive source, with its original time', async () => {
    const path = `/api/admin/cpa-sources/${network.source}/`
    await network.admin('PUT', path, { is_active: false })
    await network.get({ tid: '1', status: 'sold', payout: '5' })
    const postback = await newest()
    expect(await replay(postback.id)).toMatchObject({
      outcome: 'refused',
      reason: 'inactive_source',
      lead_id: null,
    })
    await network.admin('PUT', path, { is_active: true })
    await sleep(5)
    const replayResult = await replay(postback.id)
    const lead = await network.lead('1')
    expect(replayResult).toMatchObject({ outcome: 'created', reason: null, lead_id: lead?.id })
    expect([lead?.created_at, lead?.updated_at]).toEqual([postback.at, postback.at])
    const [auditRow] = await network.product.deps.db
      .selectFrom('audit_log')
      .selectAll()
      .orderBy('id', 'desc')
      .limit(1)
      .execute()
    expect(auditRow).toMatchObject({
      action: 'replay',
      resource: 'postbacks',
      row_id: postback.id,
      old_values: { outcome: 'refused', reason: 'inactive_source' },
      new_values: { outcome: 'created', lead_id: lead?.id },
    })
  })

  test('a replay of an invalid postback is refused', async () => {
    await network.get({ tid: '1', status: 'sold', token: 'guess' })
    await network.get({ tid: '1', status: 'sold', payout: 'much' })
    await network.get({ tid: '1' })
    const [missing, bad, secret] = (await network.log()).items
    expect((await refusedReplay(secret?.id ?? 0))[0]).toBe(409)
    expect(await refusedReplay(bad?.id ?? 0)).toEqual([409, 'It is still refused: payout is not a number.'])
    expect(await replay(missing?.id ?? 0)).toMatchObject({ outcome: 'refused', reason: 'missing_value' })
    expect(await network.lead('1')).toBeUndefined()
    expect(await refusedReplay(999_999)).toEqual([404, 'No such postback.'])
  })

  test('a replay of an accepted postback changes nothing while its source is inactive', async () => {
    await network.get({ tid: '1', status: 'sold', token: network.key })
    const postback = await newest()
    await network.admin('PUT', `/api/admin/cpa-sources/${network.source}/`, { is_active: false })
    expect(await refusedReplay(postback.id)).toEqual([409, 'The source is switched off.'])
    await network.admin('PUT', `/api/admin/cpa-sources/${network.source}/`, { is_active: true })
    expect(await newest()).toEqual(postback)
    expect(await replay(postback.id)).toMatchObject({
      outcome: 'unchanged',
      reason: 'duplicate',
      lead_id: postback.lead_id,
    })
  })
})

describe('Key rotation', () => {
  test('a key rotation ends the old key at once and shows the new one only to admins', async () => {
    const { key, source } = network
    const path = `/api/admin/cpa-sources/${source}/rotate-postback-key/`
    const row = await network.admin<{ id: number; postback_key: string }>('POST', path)
    expect(row).toMatchObject({ id: source, name: expect.any(String) as string })
    expect(row.postback_key).toMatch(/^[\da-f]{32}$/)
    expect(row.postback_key).not.toBe(key)
    const params = { tid: '1', status: 'sold' }
    expect((await network.get(params, key)).status).toBe(404)
    expect((await network.get({ ...params, token: key }, row.postback_key)).status).toBe(403)
    expect((await network.get(params, row.postback_key)).status).toBe(200)
    const { rows } = await network.product.deps.pool.query<{ row: string }>(
      `select a::text as row from audit_log a where action = 'rotate-postback-key' and row_id = $1`,
      [source],
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.row).not.toMatch(new RegExp(`${key}|${row.postback_key}`))
  })

  test('a key rotation of an unknown source answers 404', async () => {
    const answer = await callApi(
      network.product.app,
      network.signed,
      'POST',
      '/api/admin/cpa-sources/999999/rotate-postback-key/',
    )
    expect(answer.statusCode).toBe(404)
  })
})
