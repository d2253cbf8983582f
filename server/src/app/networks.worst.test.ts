import { afterAll, beforeAll, expect, test } from 'vitest'
import { now, hour, minute } from '../../test/moment.ts'
import { bookOf, chanceFrom, openNetworks, quick } from '../../test/networks.ts'

const open = () => openNetworks(['100k'])
let desks: Awaited<ReturnType<typeof open>>

beforeAll(async () => {
  desks = await open()
})

afterAll(() => desks.close())

test(
  'on its worst day nothing is lost, nothing comes twice, and the manners hold',
  { timeout: 90_000 },
  async () => {
    const [stand] = desks.stands
    const chance = chanceFrom(99)
    const desk = await desks.reading('Worst', '100k', quick(stand))
    stand.faults = {
      slow: 20,
      rate_limited: 0.05,
      retryAfter: 7,
      broken: 0.05,
      garbage: 0.04,
      truncated: 0.05,
      drop: 0.05,
      repeat_rows: 0.1,
      forget_token: 0.05,
      chance,
    }
    const { store } = stand
    for (let round = 0; round < 15; round++) {
      store.addOrders(8, now() - hour + round * minute)
      store.advanceOrders(60, now())
      await desks.runNow(desk)
    }
    stand.faults = {}
    for (let i = 0; i < 3; i++) await desks.runNow(desk)
    expect(await desks.leads(desk)).toEqual(bookOf(stand))
    // A 429 ends a run: nothing is asked after it until the run that a person asked for.
    const waits = stand.requests.filter(({ status }) => status === 429).length
    expect(waits).toBeGreaterThan(0)
    const runs = await desks.runs(desk.credential)
    const asked = runs.filter(({ error }) => error?.includes('asks to wait 7 s'))
    expect(asked).toHaveLength(waits)
  },
)
