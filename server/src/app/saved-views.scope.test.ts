import type { Page } from '@karvon/contract/lib/page.ts'
import { calls } from '@karvon/contract/registry.ts'
import { parseViewAddress } from '@karvon/contract/saved-views/address.ts'
import type { SavedView } from '@karvon/contract/saved-views/saved-views.list.ts'
import { afterAll, expect, test } from 'vitest'
import { createScopeFixture, foreignMark } from '../../test/access.fixture.ts'
import { getGuard } from '../../test/access.table.ts'
import { callApi, type Session } from '../../test/app.ts'
import { createUser } from '../../test/people.ts'

const fixture = await createScopeFixture()
const { product, admin, lola, role } = fixture
const outsider = await createUser(product.app, admin, 'outsider')
afterAll(() => product.close())

/** Every list without path parameters, by who may call it, with the filters that take an id. */
const lists = calls.flatMap(({ id, path, query, method }) => {
  const { properties = {} } = (query ?? {}) as { properties?: Record<string, object> }
  if (method !== 'GET' || path.includes(':') || !Object.hasOwn(properties, 'per_page')) return []
  const keys = Object.keys(properties).filter((key) => key === 'id' || key.endsWith('_id'))
  return [{ path, guard: getGuard(id), keys }]
})
const idKeys = [...new Set(lists.flatMap(({ keys }) => keys))].filter((key) => key !== 'id')

/** Ids of rows that Lola may not see. */
const foreignIds = {
  person: fixture.rustamId,
  source: fixture.hidden,
  stream: fixture.others.stream,
  'stream of a hidden source': fixture.unseen.stream,
  lead: fixture.others.lead,
  parcel: fixture.parcels.others,
  act: fixture.acts.others,
  withdrawal: fixture.withdrawals.others,
  statement: fixture.statements.others,
}

const readViews = async (as: Session): Promise<SavedView[]> =>
  (await callApi(product.app, as, 'GET', '/api/views/?is_own=false')).json<Page<SavedView>>().items

test('the test of saved views covers the lists of all domains', () => {
  expect(lists.length).toBeGreaterThan(30)
  expect(idKeys).toEqual(expect.arrayContaining(['source_id', 'offer_id', 'stream_id', 'user_id']))
})

test.each(Object.entries(foreignIds))(
  'a shared view with the id of a foreign %s shows no foreign row in any list',
  async (kind, foreignId) => {
    const query = idKeys.map((key) => `${key}=${foreignId}`).join('&')
    const view = { name: `By ${kind}`, address: `/leads?${query}`, shared_role_ids: [role] }
    await callApi(product.app, admin, 'POST', '/api/views/', view)

    const sharedView = (await readViews(lola)).find(({ name }) => name === view.name)
    const filters = Object.entries(parseViewAddress(sharedView?.address ?? '').search)
    expect(filters).toHaveLength(idKeys.length)
    expect((await readViews(outsider)).filter(({ name }) => name === view.name)).toEqual([])

    for (const { path, guard, keys } of lists) {
      const usedFilters = filters.filter(([key]) => keys.includes(key))
      for (const [key, value] of usedFilters) {
        const url = `${path}?${key}=${value}`
        expect((await callApi(product.app, null, 'GET', url)).statusCode, url).toBe(401)
        const answer = await callApi(product.app, lola, 'GET', url)
        expect(answer.statusCode, url).toBe(guard === 'admin' ? 403 : 200)
        expect(answer.body, url).not.toContain(foreignMark)
      }
    }
  },
)
