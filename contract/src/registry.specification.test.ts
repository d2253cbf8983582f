import { expect, test } from 'vitest'
import type { Requirement } from './lib/field.ts'
import { resourceCalls } from './lib/resource-calls.ts'
import { getWritableFields } from './lib/resource.ts'
import { calls, resources } from './registry.ts'

// Section 5 of the specification, read by hand: what a form requires, requires on create only, and accepts.
const forms: Record<string, Record<Requirement, string>> = {
  users: { always: 'username name email role_id', create: 'password', never: '' },
  roles: { always: 'name code', create: '', never: 'description type source_ids' },
  'source-credentials': { always: 'name user_id source_id', create: 'pass', never: 'login api_key token' },
  'cpa-sources': { always: 'name url', create: '', never: 'description is_active' },
  'cpa-websites': {
    always: 'name cpa_source_id',
    create: '',
    never:
      'login_url finance_url orders_url offers_url streams_url single_offer_url img_url connector mapping',
  },
  'role-source-access': { always: 'role_id source_id', create: '', never: '' },
  'status-types': { always: 'name', create: '', never: 'description is_active' },
  statuses: { always: 'name type_id', create: '', never: 'is_active' },
  'source-statuses': { always: 'name source_name status_id source_id', create: '', never: 'source_name2' },
  offers: {
    always: 'name price affiliate_fee store_name status_id source_id',
    create: '',
    never: 'extra_id master_offer_id',
  },
  streams: {
    always: 'name url source_id user_id',
    create: '',
    never: 'offer_name offer_id extra_id is_active',
  },
}

test.each(resources.filter(({ name }) => name in forms))(
  'the form of $name has the specified required and optional fields',
  ({ name, fields }) => {
    const by = (required: Requirement) =>
      getWritableFields(fields).flatMap(([key, field]) => (field.required === required ? [key] : []))
    const words = (required: Requirement) => (forms[name]?.[required] ?? '').split(' ').filter(Boolean)
    for (const required of ['always', 'create', 'never'] as const)
      expect(by(required).toSorted(), required).toEqual(words(required).toSorted())
  },
)

test('every resource of the specification is declared', () => {
  expect(Object.keys(forms).filter((name) => resources.every((resource) => resource.name !== name))).toEqual(
    [],
  )
})

test('no row has a write-only field', () => {
  const writeOnly = resources.flatMap(({ name, fields }) =>
    Object.entries(fields).flatMap(([key, field]) => (field.access === 'write' ? [`${name}.${key}`] : [])),
  )
  expect(writeOnly).toEqual([
    'users.password',
    'roles.source_ids',
    'source-credentials.pass',
    'courier-accounts.pass',
  ])
})

// Section 7: list path, item path, method of updates, delete.
test.each([
  ['users', '/api/admin/users/', '/api/admin/users/:id', 'PUT', false],
  ['roles', '/api/admin/roles/', '/api/admin/roles/:id', 'PUT', true],
  ['cpa-sources', '/api/admin/cpa-sources/', '/api/admin/cpa-sources/:id/', 'PUT', true],
  ['cpa-websites', '/api/admin/cpa-websites/', '/api/admin/cpa-websites/:id/', 'PUT', true],
  ['role-source-access', '/api/admin/role-source-access/', '/api/admin/role-source-access/:id/', 'PUT', true],
  ['source-credentials', '/api/admin/source-credentials/', '/api/admin/source-credentials/:id/', 'PUT', true],
  ['status-types', '/api/admin/status-types/', '/api/admin/status-types/:id/', 'POST', true],
  ['statuses', '/api/admin/statuses/', '/api/admin/statuses/:id/', 'POST', true],
  ['source-statuses', '/api/admin/source-statuses/', '/api/admin/source-statuses/:id/', 'POST', true],
  ['offers', '/api/admin/offers/', '/api/admin/offers/:id', 'POST', true],
  ['streams', '/api/admin/streams/', '/api/admin/streams/:id', 'PUT', true],
])('the calls of %s have the specified methods and paths', (name, list, item, update, deletes) => {
  const of = resources.find((resource) => resource.name === name)
  const callsOfResource = of && resourceCalls(of)
  expect(callsOfResource).toMatchObject({
    list: { method: 'GET', path: list },
    get: { method: 'GET', path: item },
    create: { method: 'POST', path: list },
    update: { method: update, path: item },
  })
  expect(callsOfResource?.delete?.path).toBe(deletes ? item : undefined)
})

test('a call names a feature unless the specification names the call', () => {
  const resourceCallIds = resources
    .filter(({ name }) => name in forms)
    .flatMap((of) => Object.values(resourceCalls(of)).map((operation) => operation.id))
  const specifiedCalls = new Set([...resourceCallIds, ...otherCalls])
  // How the web learns what the host announces, and what no browser asks for.
  const announcing = new Set(['app.settings', 'app.healthz', 'app.readyz', 'app.metrics'])
  const wrong = calls
    .filter(({ id }) => !announcing.has(id))
    .filter(({ id, method, path, feature }) => {
      const isSpecified = specifiedCalls.has(id) || specifiedCalls.has(`${method} ${path}`)
      return isSpecified === (feature !== undefined)
    })
  expect(wrong.map(({ id }) => id)).toEqual([])
})

const otherCalls = [
  'POST /parcel/auth/login',
  'GET /parcel/auth/me',
  'PUT /api/admin/users/:id/activate',
  'PUT /api/admin/users/:id/deactivate',
  ...['admin', 'user'].flatMap((scope) =>
    ['sources', 'fin', 'stats', 'daily', 'offers', 'streams'].map(
      (kind) => `GET /api/${scope}/report/${kind}`,
    ),
  ),
  'GET /api/parcel/parcels/all',
  'GET /api/parcel/parcels/:id',
  'GET /api/parcel/parcels/search',
  'POST /api/parcel/files/upload/',
]

test('the other calls of the specification are declared', () => {
  const declaredCalls = new Set(calls.map(({ method, path }) => `${method} ${path}`))
  expect(otherCalls.filter((otherCall) => !declaredCalls.has(otherCall))).toEqual([])
})

test('status lists have pages of 20 and others of 10; source credentials use skip and limit', () => {
  const twenty = resources.filter(({ quirks }) => quirks.pageSize === 20).map(({ name }) => name)
  expect(twenty).toEqual(['status-types', 'statuses', 'source-statuses'])
  const skip = resources.filter(({ quirks }) => quirks.paging === 'skip').map(({ name }) => name)
  expect(skip).toEqual(['source-credentials'])
  expect(resources.filter(({ quirks }) => quirks.firstOfItems).map(({ name }) => name)).toEqual(skip)
})
