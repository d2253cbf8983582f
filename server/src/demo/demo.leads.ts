import type { Db } from '../platform/database/pool.ts'
import type { Chance } from './demo.chance.ts'
import { dayLong, hourLong, momentText, type LocalClock } from './demo.clock.ts'
import type { DemoDesk, DemoStream } from './demo.desk.ts'
import type { DemoLead, DemoParts } from './demo.parts.ts'

const days = 75
const batch = 2000

interface State {
  word: string
  at: number
}

/** Takes in some 4,000 leads of the last weeks, each state of theirs after the other, as networks tell them. */
export async function makeLeads(
  trx: Db,
  parts: DemoParts,
  desk: DemoDesk,
  clock: LocalClock,
  chance: Chance,
): Promise<void> {
  for (const [source, streams] of desk.streams) {
    const share = source === Math.min(...desk.streams.keys()) ? 2600 : 1400
    const leads = momentsOf(share, clock, chance).map((at, i) => {
      const stream = chance.early(streams)
      const states = statesOf(at, chance).filter((state) => state.at <= clock.now)
      // Of older leads the demo came to know late: their last two states will do.
      const told = at < clock.today - 20 * dayLong ? states.slice(-2) : states
      return { id: String((desk.firstLead.get(source) ?? 0) + i * 3), stream, created: at, states: told }
    })
    for (let stage = 0; ; stage++) {
      const told = leads.flatMap(({ id, stream, created, states }) => {
        const state = states[stage]
        return state === undefined ? [] : [leadOf(id, stream, created, state)]
      })
      if (told.length === 0) break
      for (let at = 0; at < told.length; at += batch)
        await parts.takeLeads(trx, source, told.slice(at, at + batch))
    }
  }
}

/** When leads came: in the daytime, more of them lately, oldest first. */
function momentsOf(count: number, clock: LocalClock, chance: Chance): number[] {
  return Array.from({ length: count }, () => {
    const back = Math.floor(chance.next() ** 1.4 * days)
    const hour = 8 + (chance.next() + chance.next()) * 7.5
    const at = clock.today - back * dayLong + hour * hourLong
    return at <= clock.now ? at : clock.now - chance.between(0, 9) * hourLong
  }).toSorted((a, b) => a - b)
}

/** A lead's way in the words of the networks, `not_delivered` among them, which nothing maps. */
function statesOf(created: number, chance: Chance): State[] {
  const states: State[] = [{ word: 'new', at: created }]
  let at = created
  const then = (word: string, low: number, high: number) => {
    at += chance.between(low, high) * hourLong
    states.push({ word, at })
  }
  const fate = chance.next()
  if (fate < 0.17) then(chance.of(['canceled', 'trash', 'spam']), 1, 20)
  else if (fate < 0.22) then('hold', 1, 8)
  else {
    if (fate < 0.36) then('callback', 1, 10)
    if (fate > 0.33) then('accepted', 0.5, 14)
    if (fate > 0.4) then('sent', 10, 40)
    if (fate > 0.5) then(fate > 0.6 ? 'delivered' : chance.of(['client_returned', 'not_delivered']), 24, 110)
  }
  return states
}

function leadOf(id: string, stream: DemoStream, created: number, state: State): DemoLead {
  return {
    external_id: id,
    word: state.word,
    payout: String(stream.offer.fee),
    currency: 'UZS',
    created_at: momentText(created),
    updated_at: momentText(state.at),
    offer: stream.offer.name,
    offer_extra_id: stream.offer.extra,
    stream: stream.name,
    stream_extra_id: stream.extra,
    comment: null,
  }
}
