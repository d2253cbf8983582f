import { isDeepStrictEqual } from 'node:util'
import type { BenchProduct } from './product.ts'
import { runLoad, type LoadOptions } from './load.ts'
import { offerCount } from './offers.seed.ts'
import { canReadTimes, readProcessorTime } from './processor.ts'
import type { Contender } from './rounds.ts'

/** Seconds per round, and rounds per contender. */
export interface BenchEffort {
  seconds: number
  rounds: number
}

/** A question about speed. The answer is the ratio of the first contender's figure to the second's. */
export interface Bench {
  name: string
  question: string
  unit: string
  /** The target of the ratio. */
  aim: { least: number } | { most: number }
  /** `close` stops what `prepare` started. */
  prepare(
    product: BenchProduct,
    effort: BenchEffort,
  ): Promise<{ contenders: Contender[]; close?: () => Promise<void> }>
}

const connections = 16
const list = '/api/admin/offers/'
const pageSize = 10
const lastPage = offerCount / pageSize

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

const measureRate = async (options: LoadOptions) => (await runLoad(options)).perSecond

/** Throws unless both servers answer the same list. */
async function compare({ app, bare, token }: Pick<BenchProduct, 'app' | 'bare' | 'token'>): Promise<void> {
  const ownList = await read(`${app.url}${list}`, token)
  const peerList = await read(`${bare.url}/offers`)
  if (!isDeepStrictEqual(ownList, peerList) || ownList.meta.total !== offerCount)
    throw new Error('The product and the bare handler answer different lists')
}

/** Requests per second of the product's list, compared with a bare handler with the same statement. */
const offersList: Bench = {
  name: 'offers-list',
  question: `List of ${pageSize} of ${offerCount.toLocaleString('en')} offers, exact total and token check, against a bare Fastify handler with the same SQL`,
  unit: 'requests/s',
  aim: { least: 0.9 },
  async prepare({ app, bare, token }, { seconds }) {
    await compare({ app, bare, token })
    const options = { connections, seconds }
    const contenders = [
      { name: 'Karvon', measure: () => measureRate({ ...options, url: `${app.url}${list}`, token }) },
      { name: 'bare Fastify', measure: () => measureRate({ ...options, url: `${bare.url}/offers` }) },
    ]
    return { contenders }
  },
}

/** The same comparison in processor time, which a busy machine affects less. Linux only. */
const offersCost: Bench = {
  name: 'offers-list-cost',
  question: 'Processor time of that list, server and PostgreSQL together, against the bare handler’s',
  unit: 'µs a request',
  aim: { most: 1.1 },
  async prepare({ app, bare, token, postgres }, { seconds }) {
    await compare({ app, bare, token })
    const measureCost = async (pid: number, options: LoadOptions) => {
      const readUsed = () => readProcessorTime(pid) + readProcessorTime(postgres.pid)
      const usedBefore = readUsed()
      const { requests } = await runLoad(options)
      return ((readUsed() - usedBefore) * 1e6) / requests
    }
    const options = { connections, seconds }
    const contenders = [
      {
        name: 'Karvon',
        measure: () => measureCost(app.pid, { ...options, url: `${app.url}${list}`, token }),
      },
      {
        name: 'bare Fastify',
        measure: () => measureCost(bare.pid, { ...options, url: `${bare.url}/offers` }),
      },
    ]
    return { contenders }
  },
}

function pageBench(name: string, { page, most }: { page: number; most: number }, question: string): Bench {
  return {
    name,
    question,
    unit: 'ms a request',
    aim: { most },
    async prepare({ app, token }, { seconds }) {
      const pageOfList = await read(`${app.url}${list}?page=${page}`, token)
      if (pageOfList.items.length !== pageSize || pageOfList.meta.current_page !== page)
        throw new Error(`Page ${page} does not exist`)
      const options = { connections, seconds, token }
      // Mean milliseconds per request of one connection.
      const measureCost = async (url: string) =>
        (connections * 1000) / (await measureRate({ ...options, url }))
      const contenders = [
        { name: `page ${page}`, measure: () => measureCost(`${app.url}${list}?page=${page}`) },
        { name: 'page 1', measure: () => measureCost(`${app.url}${list}?page=1`) },
      ]
      return { contenders }
    },
  }
}

export const benches: readonly Bench[] = [
  offersList,
  ...(canReadTimes ? [offersCost] : []),
  pageBench(
    'deepest-page',
    { page: lastPage, most: 1.5 },
    `The last page of ${offerCount.toLocaleString('en')} offers against the first`,
  ),
  pageBench(
    'middle-page',
    { page: lastPage / 2, most: 2 },
    `The page in the middle of ${offerCount.toLocaleString('en')} offers, farthest from both ends, against the first`,
  ),
]
