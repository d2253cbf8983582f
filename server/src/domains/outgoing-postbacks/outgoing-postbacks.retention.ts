import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { retentionJob } from '../../platform/jobs/retention.ts'

/** Days that a postback stays in the log. */
const retentionDays = 90

/** Queued postbacks stay. The last sent one of a lead and template stays too, so that its URL is not sent again. */
const keepCondition = `t.status = 'queued' or t.status = 'sent' and t.template_id is not null and not exists (
  select 1 from outgoing_postbacks n
  where n.lead_id = t.lead_id and n.template_id = t.template_id and n.status = 'sent' and n.id > t.id)`

export const outgoingRetention = ({ db }: Pick<Deps, 'db'>): Job =>
  retentionJob(db, {
    table: 'outgoing_postbacks',
    timeColumn: 'created_at',
    days: retentionDays,
    keepCondition,
  })
