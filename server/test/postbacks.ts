import { cpaSources } from '@karvon/contract/cpa-sources/cpa-sources.ts'
import type { Page } from '@karvon/contract/lib/page.ts'
import type { Lead, LeadWithHistory } from '@karvon/contract/leads/leads.ts'
import type { Postback, PostbackAnswer } from '@karvon/contract/postbacks/postbacks.ts'
import { expect } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from './app.ts'
import { createSample } from './sample.ts'

interface PostbackResponse {
  status: number
  body: PostbackAnswer & { code?: string; errors?: { field: string; message: string }[] }
}

export type Postbacks = Awaited<ReturnType<typeof openPostbacks>>

/** Starts the product with a fake network that sends postbacks to the newest source. */
export async function openPostbacks() {
  const product: Product = await createTestApp()
  const { app } = product
  const session: Session = await signInAdmin(app)
  const current = { source: 0, key: '' }

  const send = async (
    method: 'GET' | 'POST' | 'HEAD',
    address: string,
    type?: string,
    payload?: string | Buffer,
    key = current.key,
  ): Promise<PostbackResponse> => {
    const headers = type === undefined ? {} : { 'content-type': type }
    const [path = '', ...query] = address.split('?')
    const url = `/api/postback/${key}${path}${query.length > 0 ? `?${query.join('?')}` : ''}`
    const answer = await app.inject({ method, url, headers, ...(payload !== undefined && { payload }) })
    return {
      status: answer.statusCode,
      body: answer.body === '' ? ({} as PostbackResponse['body']) : answer.json(),
    }
  }
  /** A call of the admin that must succeed. */
  const callAdmin = async <T>(method: 'GET' | 'POST' | 'PUT', url: string, body?: object): Promise<T> => {
    const answer = await callApi(app, session, method, url, body)
    expect(answer.statusCode, `${url}: ${answer.body}`).toBeLessThan(300)
    return answer.json<T>()
  }
  const findLead = async (externalId: string): Promise<Lead | undefined> => {
    const query = new URLSearchParams({ source_id: String(current.source), external_id: externalId })
    return (await callAdmin<Page<Lead>>('GET', `/api/admin/leads/?${query.toString()}`)).items[0]
  }

  return {
    product,
    signed: session,
    get source() {
      return current.source
    },
    get key() {
      return current.key
    },
    async newSource(): Promise<void> {
      const row = await createSample(app, session, cpaSources, { is_active: true })
      Object.assign(current, { source: row.id, key: String(row.postback_key) })
    },
    async newStream(values: { name: string; extra_id?: string }): Promise<number> {
      const { id: user_id } = await callAdmin<{ id: number }>('GET', '/parcel/auth/me')
      const url = 'https://example.com/go'
      const body = { url, user_id, source_id: current.source, ...values }
      return (await callAdmin<{ id: number }>('POST', '/api/admin/streams/', body)).id
    },
    send,
    get: (params: Record<string, string>, key?: string) =>
      send('GET', `?${new URLSearchParams(params).toString()}`, undefined, undefined, key),
    admin: callAdmin,
    lead: findLead,
    /** The source statuses in the history of a lead, oldest first. */
    async history(externalId: string): Promise<string[]> {
      const lead = await findLead(externalId)
      const { history } = await callAdmin<LeadWithHistory>('GET', `/api/admin/leads/${lead?.id}`)
      return history.map(({ source_status }) => source_status).toReversed()
    },
    /** The log of the newest source, newest first. */
    async log(query = 'per_page=200'): Promise<Page<Postback>> {
      const page = await callAdmin<Page<Postback>>(
        'GET',
        `/api/admin/postbacks/?source_id=${current.source}&${query}`,
      )
      return { ...page, meta: { ...page.meta, total: page.meta.filtered_total } }
    },
    close: () => product.close(),
  }
}
