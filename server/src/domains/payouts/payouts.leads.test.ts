import type { Page } from '@karvon/contract/lib/page.ts'
import { afterAll, expect, test } from 'vitest'
import { createMoneyFixture } from '../../../test/money.ts'

const { product, admin, call, createPerson } = await createMoneyFixture()
afterAll(() => product.close())

interface Entry {
  lead: string | null
  lead_id: number | null
  cause_id: number
}

/** Creates a sold lead of a stream of a person at a new source, and answers the ids. */
async function createSoldLead(userId: number, externalId: string) {
  const { rows } = await product.deps.pool.query<{ source: number; stream: number; lead: number }>(
    `with source as (insert into cpa_sources (name, url) values ($2, 'https://network.example') returning id),
     stream as (insert into streams (name, source_id, user_id) select $2, id, $1 from source returning id, source_id),
     lead as (
       insert into leads (source_id, external_id, stream_id, status_id, source_status, payout, currency, day, created_at, updated_at)
       select st.source_id, $2, st.id, s.id, 'sold', 100, 'UZS', current_date, now(), now()
       from stream st, statuses s join status_types t on t.id = s.type_id and t.code = 'sold' limit 1
       returning id, source_id, stream_id
     )
     select id as lead, source_id as source, stream_id as stream from lead`,
    [userId, externalId],
  )
  if (rows[0] === undefined) throw new Error('No lead was stored')
  return rows[0]
}

test('an entry has the id of its lead only if the list of leads shows the lead to the person', async () => {
  const buyer = await createPerson(1)
  const shownLead = await createSoldLead(buyer.id, 'shown')
  await createSoldLead(buyer.id, 'other-source')
  const movedLead = await createSoldLead(buyer.id, 'moved-stream')
  await product.deps.pool.query(
    `insert into role_source_access (role_id, source_id) select role_id, unnest($2::bigint[]) from users where id = $1`,
    [buyer.id, [shownLead.source, movedLead.source]],
  )
  await product.deps.pool.query('update streams set user_id = null where id = $1', [movedLead.stream])
  const entries = async (url: string, as = buyer.session) =>
    (await call(as, 'GET', url)).json<Page<Entry>>().items.filter(({ lead }) => lead !== null)
  const ownEntries = await entries('/api/user/entries/?sort=id')
  expect(ownEntries.map(({ lead, lead_id }) => [lead, lead_id])).toEqual([
    ['shown', shownLead.lead],
    ['other-source', null],
    ['moved-stream', null],
  ])
  for (const { cause_id, lead_id } of ownEntries) {
    const { statusCode } = await call(buyer.session, 'GET', `/api/user/leads/${cause_id}/`)
    expect(statusCode).toBe(lead_id === null ? 404 : 200)
  }
  const today = (await product.deps.pool.query<{ day: string }>('select current_date as day')).rows[0]?.day
  await product.deps.pool.query(
    `insert into statements (user_id, currency, start_date, end_date, starts_at, ends_at, opening, earned, reversed, fees,
       adjusted, paid, closing, entries, closed_by)
     values ($1, 'UZS', $2, $2, $2::date, $2::date + 1, 0, 0, 0, 0, 0, 0, 0, 0, $1)`,
    [buyer.id, today],
  )
  const { rows } = await product.deps.pool.query<{ id: number }>('select id from statements')
  const path = `statements/${rows[0]?.id}/entries/?sort=id`
  const ids = (list: Entry[]) => list.map(({ lead_id }) => lead_id)
  expect(ids(await entries(`/api/user/${path}`))).toEqual(ids(ownEntries))
  expect(ids(await entries(`/api/admin/${path}`, admin))).toEqual(ownEntries.map(({ cause_id }) => cause_id))
})
