import type { AuditEntry } from '@karvon/contract/audit/audit.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  callApi,
  createTestApp,
  firstAdmin,
  signInAdmin,
  type Product,
  type Session,
} from '../../../test/app.ts'
import { readCsv } from '../../../test/exports.ts'
import { createUser } from '../../../test/people.ts'

let product: Product
let admin: Session
beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
})
afterAll(() => product.close())

const send = (method: 'POST' | 'PUT' | 'DELETE', url: string, body?: object) =>
  callApi(product.app, admin, method, url, body)
const log = async (query = '') => {
  const answer = await callApi(product.app, admin, 'GET', `/api/admin/audit/?${query}`)
  expect(answer.statusCode).toBe(200)
  return answer.json<{ items: AuditEntry[]; meta: Record<string, number> }>()
}

describe('Audit log', () => {
  let id = 0

  test('the audit log shows who created, changed and deleted a row, with only the changed values', async () => {
    const answer = await send('POST', '/api/admin/cpa-sources/', {
      name: 'Seen',
      url: 'https://seen.example',
    })
    id = answer.json<{ id: number }>().id
    await send('PUT', `/api/admin/cpa-sources/${id}`, { name: 'Seen again' })
    await send('DELETE', `/api/admin/cpa-sources/${id}`)
    const { items, meta } = await log(`resource=cpa-sources&row_id=${id}`)
    const user = { id: expect.any(Number), username: firstAdmin.username }
    expect(items).toEqual([
      expect.objectContaining({ action: 'delete', user, new_values: null }),
      expect.objectContaining({
        action: 'update',
        old_values: { name: 'Seen' },
        new_values: { name: 'Seen again' },
      }),
      expect.objectContaining({ action: 'create', row_id: id, old_values: null }),
    ])
    expect(items[2]?.new_values).toMatchObject({ name: 'Seen', url: 'https://seen.example' })
    expect(meta['filtered_total']).toBe(3)
    expect(meta['total']).toBeGreaterThanOrEqual(3)
  })

  test('the audit log is filtered by person, action and days, searched by username, sorted and paged', async () => {
    const ids = async (query: string) => (await log(query)).items.map((item) => item.id)
    const allIds = await ids('')
    expect(await ids('sort=at')).toEqual(allIds.toReversed())
    expect(await ids('sort=id&per_page=1&page=2')).toEqual(allIds.toReversed().slice(1, 2))
    const me = (await log()).items[0]?.user?.id ?? 0
    expect(await ids(`user_id=${me}`)).toEqual(allIds)
    expect(await ids(`user_id=${me + 1}`)).toEqual([])
    expect(await ids('action=delete')).toHaveLength(1)
    expect(await ids('search=DMI')).toEqual(allIds)
    expect(await ids('search=%25')).toEqual([])
    expect(await ids('start_date=2001-01-01&end_date=2001-01-02')).toEqual([])
    for (const bad of ['sort=action', 'start_date=soon', 'row_id=x'])
      expect((await callApi(product.app, admin, 'GET', `/api/admin/audit/?${bad}`)).statusCode).toBe(422)
  })

  test('the export of the audit log holds the values', async () => {
    const { heading, rows } = await readCsv(product.app, admin, '/api/admin/audit/?action=update')
    expect(rows.map((row) => row[heading.indexOf('new_values')])).toEqual(['{"name":"Seen again"}'])
  })

  test('the audit log is refused to a regular person with 403', async () => {
    const regular = await createUser(product.app, admin, 'looker')
    expect((await callApi(product.app, regular, 'GET', '/api/admin/audit/')).statusCode).toBe(403)
    expect((await log('resource=users')).items[0]?.new_values).toMatchObject({ password: '…' })
  })
})
