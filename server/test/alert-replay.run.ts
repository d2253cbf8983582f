import type { createAlertFixture } from './alerts.ts'
import { feeds, getRuleName, replayRules, type ReplayStep } from './alert-replay.ts'

type Fixture = Awaited<ReturnType<typeof createAlertFixture>>

/** The sources and rules of a replay on a product. The admin gets the messages. */
export async function createReplay({ query, createRule, people, sendNotices }: Fixture) {
  const sources: number[] = []
  for (let feed = 0; feed < feeds; feed += 1) {
    const [row] = await query(
      `insert into cpa_sources (name, url) values ($1, 'https://feed.example') returning id`,
      [`Feed ${feed}`],
    )
    const source_id = Number(row?.id)
    sources.push(source_id)
    const source_ids = [source_id]
    const { session } = people.admin
    const metric = { kind: 'metric', metric: 'leads', period: 'yesterday', condition: 'below', source_ids }
    await createRule(session, {
      name: getRuleName('silence', feed),
      threshold: replayRules.silence,
      source_ids,
    })
    await createRule(session, {
      ...metric,
      name: getRuleName('leads', feed),
      against: 'value',
      threshold: replayRules.leads,
    })
    await createRule(session, {
      ...metric,
      name: getRuleName('history', feed),
      against: 'history',
      threshold: replayRules.percent,
    })
  }
  // A rule of silence measures from its start until the first lead.
  await query(`update alert_rules set started_at = '-infinity' where kind = 'silence'`)
  /** The names of rules in the lines of a section of the messages. */
  const readNames = (texts: readonly string[], heading: string) =>
    texts
      .flatMap((text) => text.split('\n\n'))
      .filter((section) => section.startsWith(heading))
      .flatMap((section) => [...section.matchAll(/• ([a-z]+-\d)/g)].map(([, name]) => name ?? ''))
      .toSorted((a, b) => a.localeCompare(b))

  return {
    /** Stores what the triggers of leads write for the leads that came. */
    arrive: async ({ arrivals }: ReplayStep) => {
      // The steps of a replay are further apart than evaluations.
      await query('update alert_evaluations set evaluated_at = null')
      for (const { at, day, feed, leads } of arrivals)
        await query(
          `with arrived as (
             insert into lead_arrivals (at, source_id, offer_id, stream_id, leads) values ($1, $2, 0, 0, $4)
           )
           insert into lead_deltas (day, source_id, offer_id, stream_id, leads, accepted, cancel, recall, send, sold,
             returned, hold, profit, hold_amount) values ($3, $2, 0, 0, $4, $4, 0, 0, 0, 0, 0, 0, 0, 0)`,
          [at, sources[feed], day, leads],
        )
    },
    /** Sends the notices, and answers the rules that they name. */
    readNotices: async () => {
      const messages = await sendNotices()
      const texts = messages.map(({ text }) => text)
      return { started: readNames(texts, 'Требует внимания'), ended: readNames(texts, 'Закончилось') }
    },
  }
}
