import { formatCount, type Check } from '../../platform/database/check.ts'
import { readDifferingDays } from './segments.check.queries.ts'

/** Compares the number of leads in segments with the leads, for each day that did not change after it was built. */
export const segmentsCheck: Check = {
  name: 'segments of leads',
  async run(client) {
    const { segments, days } = await readDifferingDays(client)
    return {
      summary: formatCount(segments, 'segment'),
      faults: days.map((day) => `the segments of ${day} do not have the leads of that day.`),
    }
  },
}
