import { formatCount, type Check } from '../platform/database/check.ts'
import { countLeadsOfDay, differingTotals } from '../domains/rollups/rollups.check.queries.ts'
import { readDifferingDays } from '../domains/segments/segments.check.queries.ts'
import { readShuffledDays } from './check.sample.queries.ts'

/** Compares the totals and the segments of random days with the leads of these days. Begins no day after `seconds`. */
export const createSampleCheck = (seconds: number): Check => ({
  name: 'random days of leads',
  async run(client) {
    const endsAt = performance.now() + seconds * 1000
    const { days, leads } = await readShuffledDays(client)
    const faults: string[] = []
    let dayCount = 0
    let leadCount = 0
    for (const day of days) {
      if (dayCount > 0 && performance.now() >= endsAt) break
      for (const { table, differing } of await differingTotals(client, day))
        if (differing > 0)
          faults.push(`${differing} rows of ${table} are not what the leads of ${day} add up to.`)
      const segments = await readDifferingDays(client, day)
      if (segments.days.length > 0) faults.push(`the segments of ${day} do not have the leads of that day.`)
      dayCount += 1
      leadCount += await countLeadsOfDay(client, day)
    }
    const share = leads === 0 ? 100 : (leadCount / leads) * 100
    const summary = `${dayCount.toLocaleString('en')} of ${formatCount(days.length, 'day')}, ${leadCount.toLocaleString('en')} of ${formatCount(leads, 'lead')} (${share.toFixed(1)} %)`
    return { summary, faults }
  },
})
