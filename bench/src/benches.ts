import { isDeepStrictEqual } from 'node:util'
import type { Desk } from './desk.ts'
import { load, type Load } from './load.ts'
import { offerCount } from './offers.seed.ts'
import { canRead, processorTime } from './processor.ts'
import type { Contender } from './rounds.ts'

/** How much of it to do: seconds a round and rounds a contender. */
export interface Effort {
  seconds: number
  rounds: number
}

/** A question about speed that one ratio answers: the first contender's figure against the second's. */
export interface Bench {
  name: string
  question: string
  unit: string
  /** What the ratio should be. */
  aim: { least: number } | { most: number }
  /** `close` ends what was started for it. */
  prepare(desk: Desk, effort: Effort): Promise<{ contenders: Contender[]; close?: () => Promise<void> }>
}

const connections = 16
const list = '/api/admin/offers/'
const size = 10
const lastPage = offerCount / size

interface List {
  items: unknown[]
  meta: { total: number; items_on_page: number; current_page: number }
}

async function read(url: string, token?: string): Promise<List> {
  const answer = await fetch(
    url,
    token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } },
  )
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`)
  return (await answer.json()) as List
}

const perSecond = async (what: Load) => (await load(what)).perSecond

/** The two must answer the same, or their speeds say nothing. */
async function compare({ app, bare, token }: Pick<Desk, 'app' | 'bare' | 'token'>): Promise<void> {
  const own = await read(`${app.url}${list}`, token)
  const peer = await read(`${bare.url}/offers`)
  if (!isDeepStrictEqual(own, peer) || own.meta.total !== offerCount)
    throw new Error('The product and its peer answer different lists: there is nothing to compare')
}

/** Requests a second of the product's list against a bare handler with the same statement. */
const offersList: Bench = {
  name: 'offers-list',
  question: `List of ${size} of ${offerCount.toLocaleString('en')} offers, exact total and token check, against a bare Fastify handler with the same SQL`,
  unit: 'requests/s',
  aim: { least: 0.8 },
  async prepare({ app, bare, token }, { seconds }) {
    await compare({ app, bare, token })
    const what = { connections, seconds }
    const contenders = [
      { name: 'Karvon', measure: () => perSecond({ ...what, url: `${app.url}${list}`, token }) },
      { name: 'bare Fastify', measure: () => perSecond({ ...what, url: `${bare.url}/offers` }) },
    ]
    return { contenders }
  },
}

/** The same in processor time, which a busy machine disturbs less than the clock. Linux only. */
const offersCost: Bench = {
  name: 'offers-list-cost',
  question: 'Processor time of that list, server and PostgreSQL together, against the bare handler’s',
  unit: 'µs a request',
  aim: { most: 1.25 },
  async prepare({ app, bare, token, postgres }, { seconds }) {
    await compare({ app, bare, token })
    const cost = async (pid: number, what: Load) => {
      const used = () => processorTime(pid) + processorTime(postgres.pid)
      const before = used()
      const { requests } = await load(what)
      return ((used() - before) * 1e6) / requests
    }
    const what = { connections, seconds }
    const contenders = [
      { name: 'Karvon', measure: () => cost(app.pid, { ...what, url: `${app.url}${list}`, token }) },
      { name: 'bare Fastify', measure: () => cost(bare.pid, { ...what, url: `${bare.url}/offers` }) },
    ]
    return { contenders }
  },
}

function pageBench(name: string, page: number, question: string): Bench {
  return {
    name,
    question,
    unit: 'ms a request',
    aim: { most: 3 },
    async prepare({ app, token }, { seconds }) {
      const there = await read(`${app.url}${list}?page=${page}`, token)
      if (there.items.length !== size || there.meta.current_page !== page)
        throw new Error(`Page ${page} is not there: there is nothing to compare`)
      const what = { connections, seconds, token }
      // Milliseconds a request of one connection, as the mean over all of them.
      const cost = async (url: string) => (connections * 1000) / (await perSecond({ ...what, url }))
      const contenders = [
        { name: `page ${page}`, measure: () => cost(`${app.url}${list}?page=${page}`) },
        { name: 'page 1', measure: () => cost(`${app.url}${list}?page=1`) },
      ]
      return { contenders }
    },
  }
}

export const benches: readonly Bench[] = [
  offersList,
  ...(canRead ? [offersCost] : []),
  pageBench(
    'deepest-page',
    lastPage,
    `The last page of ${offerCount.toLocaleString('en')} offers against the first`,
  ),
  pageBench(
    'middle-page',
    lastPage / 2,
    `The page in the middle of ${offerCount.toLocaleString('en')} offers, farthest from both ends, against the first`,
  ),
]
