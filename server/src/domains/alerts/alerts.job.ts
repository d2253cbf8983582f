import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { retentionJob } from '../../platform/jobs/retention.ts'
import { evaluateAlerts } from './alerts.evaluate.ts'
import { readMoment } from './alerts.message.queries.ts'

/** Days until an incident that has ended is deleted. */
const incidentDays = 90

/**
 * The job that evaluates the alert rules each minute, and soon after a rule is saved. A rule is due by `next_at`; a silence
 * causes no notification.
 */
export function alertsJobs({ db, config: { currency } }: Pick<Deps, 'db' | 'config'>): Job[] {
  return [
    {
      name: 'alerts',
      interval: 60_000,
      // Rules that are saved within two seconds share an evaluation.
      wakeDelay: 2000,
      timeout: 60_000,
      isExclusive: true,
      async run() {
        const { errors } = await evaluateAlerts(db, { at: await readMoment(db), currency })
        if (errors.length > 0) throw new AggregateError(errors, 'Rules of some kinds were not evaluated')
      },
    },
    retentionJob(db, { table: 'alert_incidents', timeColumn: 'ended_at', days: incidentDays }),
  ]
}
