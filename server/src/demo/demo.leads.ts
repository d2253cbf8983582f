import type { Db } from '../platform/database/pool.ts'
import type { SeededRandom } from './demo.random.ts'
import { dayMilliseconds, hourMilliseconds, formatTime, type LocalClock } from './demo.clock.ts'
import { createSubs } from './demo.subs.ts'
import type { DemoContext, DemoStream } from './demo.references.ts'
import type { LeadInput } from '../domains/leads/leads.types.ts'

const days = 75
const batch = 2000

interface LeadState {
  sourceStatus: string
  at: number
}

/** Ingests about 4,000 leads of the last weeks, one state after the other, as networks report them. */
export async function createLeads(trx: Db, { parts, references, clock, random }: DemoContext): Promise<void> {
  for (const [source, streams] of references.streams) {
    const share = source === Math.min(...references.streams.keys()) ? 2600 : 1400
    const leads = pickTimes(share, clock, random).map((at, i) => {
      const stream = random.pickEarly(streams)
      const states = addLateReturn(i, pickStates(at, random)).filter((state) => state.at <= clock.now)
      // Older leads have only their last two states.
      const reportedStates = at < clock.today - 20 * dayMilliseconds ? states.slice(-2) : states
      return {
        id: String((references.firstLead.get(source) ?? 0) + i * 3),
        stream,
        created: at,
        states: reportedStates,
        subs: createSubs({ number: i, stream: stream.name, isCancelled: isCancelled(states) }),
      }
    })
    for (let stage = 0; ; stage++) {
      const batchLeads = leads.flatMap(({ id, stream, created, states, subs }) => {
        const state = states[stage]
        return state === undefined ? [] : [createLead(id, { stream, created, state, subs })]
      })
      if (batchLeads.length === 0) break
      for (let at = 0; at < batchLeads.length; at += batch)
        await parts.ingestLeads(trx, source, batchLeads.slice(at, at + batch))
    }
  }
}

/** Creation times of leads, oldest first: in the daytime, and more of them in the last days. */
function pickTimes(count: number, clock: LocalClock, random: SeededRandom): number[] {
  return Array.from({ length: count }, () => {
    const daysAgo = Math.floor(random.next() ** 1.4 * days)
    const hour = 8 + (random.next() + random.next()) * 7.5
    const at = clock.today - daysAgo * dayMilliseconds + hour * hourMilliseconds
    return at <= clock.now ? at : clock.now - random.between(0, 9) * hourMilliseconds
  }).toSorted((a, b) => a - b)
}

/** The source statuses of a lead. `not_delivered` has no mapping. */
function pickStates(createdAt: number, random: SeededRandom): LeadState[] {
  const states: LeadState[] = [{ sourceStatus: 'new', at: createdAt }]
  let at = createdAt
  const addState = (sourceStatus: string, low: number, high: number) => {
    at += random.between(low, high) * hourMilliseconds
    states.push({ sourceStatus, at })
  }
  const chance = random.next()
  if (chance < 0.17) addState(random.pick(['canceled', 'trash', 'spam']), 1, 20)
  else if (chance < 0.22) addState('hold', 1, 8)
  else {
    if (chance < 0.36) addState('callback', 1, 10)
    if (chance > 0.33) addState('accepted', 0.5, 14)
    if (chance > 0.4) addState('sent', 10, 40)
    if (chance > 0.5)
      addState(chance > 0.6 ? 'delivered' : random.pick(['client_returned', 'not_delivered']), 24, 110)
  }
  return states
}

const isCancelled = (states: readonly LeadState[]): boolean =>
  states.some(({ sourceStatus }) => ['canceled', 'trash', 'spam'].includes(sourceStatus))

/** Some delivered orders come back two weeks later, when their money may be paid out. */
function addLateReturn(number: number, states: LeadState[]): LeadState[] {
  const last = states.at(-1)
  if (number % 90 !== 0 || last?.sourceStatus !== 'delivered') return states
  return [...states, { sourceStatus: 'client_returned', at: last.at + 14 * dayMilliseconds }]
}

interface CreatedLead {
  stream: DemoStream
  created: number
  state: LeadState
  subs: Record<string, string> | null
}

function createLead(id: string, { stream, created, state, subs }: CreatedLead): LeadInput {
  return {
    external_id: id,
    source_status: state.sourceStatus,
    payout: String(stream.offer.fee),
    currency: 'UZS',
    created_at: formatTime(created),
    updated_at: formatTime(state.at),
    offer: stream.offer.name,
    offer_extra_id: stream.offer.extraId,
    stream: stream.name,
    stream_extra_id: stream.extraId,
    comment: null,
    subs,
  }
}
