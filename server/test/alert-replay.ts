import { createRandom } from './networks.ts'
import { hour, minute } from './moment.ts'

/** Days in the time zone of the tests, which is five hours ahead of UTC. */
const zoneOffset = 5 * hour
const dayLength = 24 * hour
const start = Date.parse('2024-01-01T00:00:00+05:00')
export const feeds = 3
/** Minutes of silence, leads of a day and percent of the history of the rules of a replay. */
export const replayRules = { silence: 45, leads: 60, percent: 50 }

interface Arrival {
  at: number
  feed: number
}

/** What the people who get the rules are to be told at a moment. */
export interface ReplayStep {
  at: string
  /** Leads that came since the step before, by feed and day. */
  arrivals: { at: string; day: string; feed: number; leads: number }[]
  /** Names of the rules that begin and end at this step. */
  started: string[]
  ended: string[]
}

export const getRuleName = (kind: 'silence' | 'leads' | 'history', feed: number): string => `${kind}-${feed}`
const getDay = (at: number) => new Date(at + zoneOffset).toISOString().slice(0, 10)

/** Leads of each feed every ten minutes, with planted silences of one to four hours, and days with a third of the leads. */
function plant(days: number, seed: number): { arrivals: Arrival[]; moments: number[] } {
  const random = createRandom(seed)
  const arrivals: Arrival[] = []
  const moments = new Set<number>()
  for (let at = start + 30 * minute; at <= start + days * dayLength; at += 30 * minute) moments.add(at)
  for (let feed = 0; feed < feeds; feed += 1) {
    for (let day = 0; day < days; day += 1) {
      const from = start + day * dayLength
      const step = (random() < 0.12 ? 30 : 10) * minute
      const length = random() < 0.4 ? (60 + Math.floor(random() * 180)) * minute : 0
      const silentFrom = from + Math.floor(random() * (dayLength - 5 * hour))
      const isSilent = (at: number) => at > silentFrom && at < silentFrom + length
      for (let at = from; at < from + dayLength; at += step) if (!isSilent(at)) arrivals.push({ at, feed })
      const watchedUntil = length > 0 ? silentFrom + length + hour : silentFrom
      for (let at = silentFrom; at < watchedUntil; at += 5 * minute)
        moments.add(Math.ceil(at / (5 * minute)) * 5 * minute)
    }
  }
  return {
    arrivals: arrivals.toSorted((a, b) => a.at - b.at || a.feed - b.feed),
    moments: [...moments].toSorted((a, b) => a - b),
  }
}

/** The steps of a replay with what each of them must tell, by a model that shares no code with the product. */
export function planReplay(days: number, seed: number): ReplayStep[] {
  const { arrivals, moments } = plant(days, seed)
  const lastAt = Array.from({ length: feeds }, () => Number.NEGATIVE_INFINITY)
  const leadsOf = new Map<string, number>()
  const samples = new Map<string, number>()
  const open = new Set<string>()
  let next = 0
  return moments.map((at) => {
    const sums = new Map<string, { at: number; day: string; feed: number; leads: number }>()
    for (
      let arrival = arrivals[next];
      arrival !== undefined && arrival.at <= at;
      arrival = arrivals[(next += 1)]
    ) {
      const { feed } = arrival
      const key = `${feed} ${getDay(arrival.at)}`
      lastAt[feed] = arrival.at
      leadsOf.set(key, (leadsOf.get(key) ?? 0) + 1)
      const leads = (sums.get(key)?.leads ?? 0) + 1
      sums.set(key, { at: arrival.at, day: getDay(arrival.at), feed, leads })
    }
    const startedNames: string[] = []
    const endedNames: string[] = []
    const set = (name: string, holds: boolean) => {
      if (holds === open.has(name)) return
      ;(holds ? startedNames : endedNames).push(name)
      if (holds) open.add(name)
      else open.delete(name)
    }
    for (let feed = 0; feed < feeds; feed += 1) {
      const yesterday = leadsOf.get(`${feed} ${getDay(at - dayLength)}`) ?? 0
      set(getRuleName('silence', feed), at - (lastAt[feed] ?? 0) >= replayRules.silence * minute)
      set(getRuleName('leads', feed), yesterday < replayRules.leads)
      const thisHour = Math.floor(at / hour)
      // The rule of the history is evaluated once in each hour, at its start.
      if (at % hour >= 5 * minute || samples.has(`${feed} ${thisHour}`)) continue
      samples.set(`${feed} ${thisHour}`, yesterday)
      const past = [1, 2, 3, 4].flatMap((week) => {
        const value = samples.get(`${feed} ${thisHour - week * 7 * 24}`)
        return value === undefined ? [] : [value]
      })
      const sum = past.reduce((total, value) => total + value, 0)
      set(
        getRuleName('history', feed),
        sum > 0 && yesterday * past.length * 100 <= sum * (100 - replayRules.percent),
      )
    }
    const toTime = (time: number) => new Date(time).toISOString()
    return {
      at: toTime(at),
      arrivals: [...sums.values()].map((sum) => ({ ...sum, at: toTime(sum.at) })),
      started: startedNames.toSorted((a, b) => a.localeCompare(b)),
      ended: endedNames.toSorted((a, b) => a.localeCompare(b)),
    }
  })
}
