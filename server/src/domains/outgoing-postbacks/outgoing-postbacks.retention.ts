import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { retentionJob } from '../../platform/jobs/retention.ts'

/** Days that a postback stays in the log. */
const keptDays = 90

/** What waits to be sent stays, and what was last sent of a lead to a template: the same URL is not sent again. */
const unless = `t.status = 'queued' or t.status = 'sent' and t.template_id is not null and not exists (
  select 1 from outgoing_postbacks n
  where n.lead_id = t.lead_id and n.template_id = t.template_id and n.status = 'sent' and n.id > t.id)`

export const outgoingRetention = ({ db }: Pick<Deps, 'db'>): Job =>
  retentionJob(db, { table: 'outgoing_postbacks', at: 'created_at', days: keptDays, unless })
