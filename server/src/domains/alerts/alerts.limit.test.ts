import { cpaSources } from '@karvon/contract/cpa-sources/cpa-sources.ts'
import { maxAlertFindings } from '@karvon/contract/lib/limits.ts'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { createAlertFixture } from '../../../test/alerts.ts'
import { createSample } from '../../../test/sample.ts'
import { buildLead } from '../../../test/lead-database.ts'
import { ingestLeads } from '../leads/leads.ingest.ts'

const fixture = await createAlertFixture()
const { product, people, query, evaluate, ago, switchOn } = fixture
const { app, deps } = product
afterAll(fixture.close)
beforeEach(fixture.resetAlerts)

test('beyond the limit of findings, no incident ends because another subject is found', async () => {
  await query(
    `insert into postback_templates (name, url, stream_id)
     select n::text, 'https://tracker.example', (select min(id) from streams) from generate_series(1, $1::integer) n`,
    [maxAlertFindings + 2],
  )
  const refuse = (templates: string) =>
    query(
      `insert into outgoing_postbacks (template_id, lead_id, source_status, payout, changed_at, status, next_at)
       select id, (select min(id) from leads), 'sold', 1, now(), 'refused', $1 from postback_templates, generate_series(1, 5) where ${templates}`,
      [ago(10)],
    )
  const evaluateOnce = async () => {
    const { startedIds, endedIds } = await evaluate()
    return [startedIds.length, endedIds.length]
  }
  const recover = () =>
    query(`delete from outgoing_postbacks where template_id = (select min(id) from postback_templates)`)
  await refuse('true')
  await switchOn('postbacks_refused')
  expect(await evaluateOnce()).toEqual([maxAlertFindings, 0])
  await recover()
  expect(await evaluateOnce()).toEqual([1, 1])
  await refuse('id = (select min(id) from postback_templates)')
  expect(await evaluateOnce()).toEqual([0, 0])
  await recover()
  expect(await evaluateOnce()).toEqual([0, 0])
})

const mapLeads = () =>
  query('update leads set status_id = (select min(id) from statuses) where status_id is null')

test('a source with very many unmapped statuses does not hide another source', async () => {
  await mapLeads()
  for (const statuses of [maxAlertFindings + 10, 1]) {
    const { id: sourceId } = await createSample(app, people.admin.session, cpaSources, { is_active: true })
    const leads = Array.from({ length: statuses }, (_, n) =>
      buildLead(`${sourceId}-${n}`, { source_status: `status ${n}` }),
    )
    await ingestLeads(deps.db, { sourceId, leads, origin: 'file' })
  }
  await switchOn('unmapped_statuses')
  expect((await evaluate()).startedIds).toHaveLength(2)
  const found = await query('select value::int from alert_incidents order by subject_id')
  expect(found).toEqual([{ value: maxAlertFindings }, { value: 1 }])
  await mapLeads()
  expect((await evaluate()).endedIds).toHaveLength(2)
})
