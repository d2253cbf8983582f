import { cpaSources } from '@karvon/contract/cpa-sources/cpa-sources.ts'
import type { Page } from '@karvon/contract/lib/page.ts'
import type { Lead, LeadWithHistory } from '@karvon/contract/leads/leads.ts'
import type { Postback, PostbackAnswer } from '@karvon/contract/postbacks/postbacks.ts'
import { expect } from 'vitest'
import { ask, createTestApp, firstAdmin, signIn, type Product, type Signed } from './app.ts'
import { createSample } from './sample.ts'

interface Answered {
  status: number
  body: PostbackAnswer & { code?: string; errors?: { field: string; message: string }[] }
}

export type Postbacks = Awaited<ReturnType<typeof openPostbacks>>

/** The product with a network that sends postbacks to the newest of its sources. */
export async function openPostbacks() {
  const product: Product = await createTestApp()
  const { app } = product
  const signed: Signed = await signIn(app, firstAdmin.username, firstAdmin.password)
  const at = { source: 0, key: '' }

  const send = async (
    method: 'GET' | 'POST' | 'HEAD',
    address: string,
    type?: string,
    payload?: string | Buffer,
    key = at.key,
  ): Promise<Answered> => {
    const headers = type === undefined ? {} : { 'content-type': type }
    const [path = '', ...query] = address.split('?')
    const url = `/api/postback/${key}${path}${query.length > 0 ? `?${query.join('?')}` : ''}`
    const answer = await app.inject({ method, url, headers, ...(payload !== undefined && { payload }) })
    return { status: answer.statusCode, body: answer.body === '' ? ({} as Answered['body']) : answer.json() }
  }
  /** A call of the admin that must go well. */
  const admin = async <T>(method: 'GET' | 'POST' | 'PUT', url: string, body?: object): Promise<T> => {
    const answer = await ask(app, signed, method, url, body)
    expect(answer.statusCode, `${url}: ${answer.body}`).toBeLessThan(300)
    return answer.json<T>()
  }
  const find = async (externalId: string): Promise<Lead | undefined> => {
    const query = new URLSearchParams({ source_id: String(at.source), external_id: externalId })
    return (await admin<Page<Lead>>('GET', `/api/admin/leads/?${query.toString()}`)).items[0]
  }

  return {
    product,
    signed,
    get source() {
      return at.source
    },
    get key() {
      return at.key
    },
    async newSource(): Promise<void> {
      const row = await createSample(app, signed, cpaSources, { is_active: true })
      Object.assign(at, { source: row.id, key: String(row.postback_key) })
    },
    async newStream(more: { name: string; extra_id?: string }): Promise<number> {
      const { id: user_id } = await admin<{ id: number }>('GET', '/parcel/auth/me')
      const url = 'https://example.com/go'
      const body = { url, user_id, source_id: at.source, ...more }
      return (await admin<{ id: number }>('POST', '/api/admin/streams/', body)).id
    },
    send,
    get: (said: Record<string, string>, key?: string) =>
      send('GET', `?${new URLSearchParams(said).toString()}`, undefined, undefined, key),
    admin,
    lead: find,
    /** The words of a lead's history, oldest first. */
    async history(externalId: string): Promise<string[]> {
      const lead = await find(externalId)
      const { history } = await admin<LeadWithHistory>('GET', `/api/admin/leads/${lead?.id}`)
      return history.map(({ word }) => word).toReversed()
    },
    /** The log of the newest source, newest first. */
    async log(query = 'per_page=200'): Promise<Page<Postback>> {
      const page = await admin<Page<Postback>>('GET', `/api/admin/postbacks/?source_id=${at.source}&${query}`)
      return { ...page, meta: { ...page.meta, total: page.meta.filtered_total } }
    },
    close: () => product.close(),
  }
}
