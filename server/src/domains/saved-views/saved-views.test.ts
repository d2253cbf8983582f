import { maxSavedViews, maxSharedViews } from '@karvon/contract/lib/limits.ts'
import type { Page } from '@karvon/contract/lib/page.ts'
import type { Problem } from '@karvon/contract/lib/problem.ts'
import { roles } from '@karvon/contract/roles/roles.ts'
import type { SavedView } from '@karvon/contract/saved-views/saved-views.list.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { createUser, readId } from '../../../test/people.ts'
import { createSample } from '../../../test/sample.ts'

let product: Product
let admin: Session
let second: Session
let lola: Session
let aziz: Session
let role: number

beforeAll(async () => {
  product = await createTestApp()
  const { app } = product
  admin = await signInAdmin(app)
  role = (await createSample(app, admin, roles, { code: 'buyers', source_ids: [] })).id
  const admins = await readId(app, admin, '/api/admin/roles/?code=admin')
  second = await createUser(app, admin, 'second', admins)
  lola = await createUser(app, admin, 'lola', role)
  aziz = await createUser(app, admin, 'aziz')
})
afterAll(() => product.close())
beforeEach(() => product.deps.pool.query('delete from saved_views'))

const call = (as: Session | null, method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object) =>
  callApi(product.app, as, method, url, body)
const save = (as: Session, view: object) =>
  call(as, 'POST', '/api/views/', { name: 'Mine', address: '/leads', ...view })
const create = async (as: Session, view: object): Promise<SavedView> => {
  const answer = await save(as, view)
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json<SavedView>()
}
const list = async (as: Session, query = ''): Promise<SavedView[]> =>
  (await call(as, 'GET', `/api/views/${query}`)).json<Page<SavedView>>().items
const names = async (as: Session, query = '') => (await list(as, query)).map(({ name }) => name)
const addMany = (count: number, screen = '/leads') =>
  product.deps.pool.query(
    `insert into saved_views (user_id, name, screen, address)
     select u.id, 'View ' || n, $2, $2 from users u, generate_series(1, $1) n where u.username = 'admin'`,
    [count, screen],
  )
const readLog = async () => {
  const { rows } = await product.deps.pool.query<{ action: string; old_values: object; new_values: object }>(
    `select action, old_values, new_values from audit_log where resource = 'saved-views' order by id`,
  )
  return rows
}

test('a view is found by its name and by its address', async () => {
  await create(lola, { name: 'Leads', address: '/leads?sort=-payout' })
  await create(lola, { name: 'Parcels', address: '/parcels?status=DELIVERED' })
  expect(await names(lola, '?name=Leads')).toEqual(['Leads'])
  expect(await names(lola, '?name=Lead')).toEqual([])
  expect(await names(lola, `?address=${encodeURIComponent('/parcels?status=DELIVERED')}`)).toEqual([
    'Parcels',
  ])
  expect(await names(lola, '?sort=-address')).toEqual(['Parcels', 'Leads'])
})

test('a view stores the address without its page number, open row and open view, in one spelling', async () => {
  const view = await create(lola, {
    name: '  Week ',
    address: '/statistics?tab=offers&period=last7&page=3&view_id=9&id=5&sort=-leads&search=&source_id=4',
  })
  expect(view).toMatchObject({
    name: 'Week',
    screen: '/statistics?tab=offers',
    address: '/statistics?period=last7&sort=-leads&source_id=4&tab=offers',
    is_own: true,
    is_default: false,
    shared_role_ids: [],
  })
})

test('the screen is the path with its tab, and a key of the same name without a tab is a value', async () => {
  const screens = [
    '/users?view=access&tab=roles&sort=name',
    '/explore?view=pivot&rows=day',
    '/leads?tab=unmapped',
  ]
  const savedViews = await Promise.all(
    screens.map((address, n) => create(lola, { name: `Screen ${n}`, address })),
  )
  expect(savedViews.map(({ screen }) => screen)).toEqual([
    '/users?tab=roles&view=access',
    '/explore',
    '/leads?tab=unmapped',
  ])
})

test.each([
  'leads',
  '//evil.example/leads',
  'https://evil.example',
  '/leads#x',
  '/leads?a=1#x',
  '/leads?a=%E0%A4%A',
  '/Leads',
  '/a/../b',
])('an address that is not a screen of the web is refused with 422: %s', async (address) => {
  const answer = await save(lola, { address })
  expect(answer.statusCode).toBe(422)
  expect(answer.json()).toMatchObject({ errors: [{ field: 'address', code: 'not_valid' }] })
})

test('the name of a view has 1 to 80 characters, and its address at most 2,000', async () => {
  for (const name of ['', '   ', '\u200B \u3164', 'x'.repeat(81)])
    expect((await save(lola, { name })).statusCode, name).toBe(422)
  expect((await save(lola, { name: 'x'.repeat(80) })).statusCode).toBe(201)
  const long = (length: number) => `/leads?search=${'x'.repeat(length - 14)}`
  expect((await save(lola, { name: 'Long', address: long(2000) })).statusCode).toBe(201)
  expect((await save(lola, { name: 'Longer', address: long(2001) })).statusCode).toBe(422)
})

test('the name of a view is unique for a person and a screen', async () => {
  const { id } = await create(lola, {})
  await create(lola, { name: 'Other' })
  await create(lola, { address: '/parcels' })
  await create(aziz, {})
  const again = await save(lola, { name: ' Mine\u200B', address: '/leads?status=sold' })
  expect([again.statusCode, again.json()]).toEqual([
    409,
    expect.objectContaining({ code: 'already_exists', errors: [expect.objectContaining({ field: 'name' })] }),
  ])
  expect((await call(lola, 'PUT', `/api/views/${id}/`, { name: 'Other' })).statusCode).toBe(409)
  expect((await call(lola, 'PUT', `/api/views/${id}/`, { name: 'Mine' })).statusCode).toBe(200)
})

test('two requests with one name at the same moment store one view', async () => {
  const answers = await Promise.all([save(lola, {}), save(lola, {}), save(lola, {})])
  expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 409, 409])
})

test('a person has at most 100 views', async () => {
  await addMany(maxSavedViews - 1)
  await create(admin, {})
  const answer = await save(admin, { name: 'One too many' })
  expect([answer.statusCode, answer.json()]).toEqual([
    409,
    expect.objectContaining({ code: 'too_many_saved_views', params: { max: maxSavedViews } }),
  ])
})

test('a role has at most 50 shared views of one screen', async () => {
  await addMany(maxSharedViews - 1)
  await addMany(3, '/parcels')
  await product.deps.pool.query('insert into saved_view_roles select id, $1 from saved_views', [role])
  await create(second, { name: 'Fiftieth', shared_role_ids: [role] })
  const answer = await save(second, { name: 'One too many', shared_role_ids: [role] })
  expect(answer.json()).toMatchObject({ code: 'too_many_shared_views', params: { max: maxSharedViews } })
  expect(await names(second)).toEqual(['Fiftieth'])
  await create(second, { name: 'Other screen', address: '/parcels', shared_role_ids: [role] })
})

test('a view that an admin shares is listed only for the people of the chosen roles, and only the admin changes it', async () => {
  const view = await create(admin, { name: 'Team', shared_role_ids: [role, role] })
  expect(view.shared_role_ids).toEqual([role])
  expect(await list(lola)).toMatchObject([{ id: view.id, name: 'Team', is_own: false, shared_role_ids: [] }])
  expect(await names(aziz)).toEqual([])
  expect(await names(second)).toEqual([])
  for (const as of [lola, second, aziz]) {
    expect((await call(as, 'PUT', `/api/views/${view.id}/`, { name: 'X' })).statusCode).toBe(404)
    expect((await call(as, 'DELETE', `/api/views/${view.id}/`)).statusCode).toBe(404)
  }
  await call(admin, 'PUT', `/api/views/${view.id}/`, { shared_role_ids: [] })
  expect(await names(lola)).toEqual([])
})

test('a person who is not an admin cannot share a view, and the views of a former admin are no longer shared', async () => {
  for (const shared_role_ids of [[role], [999_999]]) {
    const answer = await save(lola, { shared_role_ids })
    expect([answer.statusCode, answer.json()]).toEqual([403, expect.objectContaining({ code: 'forbidden' })])
  }
  const ownView = await create(lola, {})
  expect((await call(lola, 'PUT', `/api/views/${ownView.id}/`, { shared_role_ids: [role] })).statusCode).toBe(
    403,
  )
  const unknownRole = await save(admin, { shared_role_ids: [role, 999_999] })
  expect([unknownRole.statusCode, unknownRole.json<Problem>().errors?.map(({ field }) => field)]).toEqual([
    422,
    ['shared_role_ids'],
  ])

  await create(second, { name: 'Of the second', shared_role_ids: [role] })
  expect(await names(lola)).toEqual(['Mine', 'Of the second'])
  const changeRole = (code: string) =>
    product.deps.pool.query(
      `update users set role_id = (select id from roles where code = $1) where username = 'second'`,
      [code],
    )
  await changeRole('user')
  expect(await names(lola)).toEqual(['Mine'])
  await changeRole('admin')
})

test('each person has one default of a screen, own or shared, and it ends with the right to open the view', async () => {
  const team = await create(admin, { name: 'Team', shared_role_ids: [role] })
  const ownView = await create(lola, {})
  const choose = (as: Session, id: number, is_default = true) =>
    call(as, 'PUT', `/api/views/${id}/default/`, { is_default })
  expect((await choose(lola, ownView.id)).json()).toMatchObject({ id: ownView.id, is_default: true })
  expect((await choose(lola, team.id)).json()).toMatchObject({ id: team.id, is_default: true, is_own: false })
  expect(await names(lola, '?is_default=true')).toEqual(['Team'])
  expect(await names(admin, '?is_default=true')).toEqual([])
  await choose(lola, ownView.id, false)
  expect(await names(lola, '?is_default=true')).toEqual(['Team'])
  expect((await choose(aziz, team.id)).statusCode).toBe(404)
  await call(admin, 'PUT', `/api/views/${team.id}/`, { shared_role_ids: [] })
  expect(await names(lola, '?is_default=true')).toEqual([])
  expect((await choose(lola, team.id)).statusCode).toBe(404)
})

test('an update changes only the named fields of a view, and never its screen', async () => {
  const { id } = await create(admin, { address: '/leads?status=sold', shared_role_ids: [role] })
  const update = (body: object) => call(admin, 'PUT', `/api/views/${id}/`, body)
  expect((await update({ address: '/leads?page=2&columns=id,status' })).json()).toMatchObject({
    name: 'Mine',
    address: '/leads?columns=id%2Cstatus',
    shared_role_ids: [role],
  })
  for (const address of ['/parcels', '/leads?tab=postbacks'])
    expect((await update({ address })).json()).toMatchObject({ code: 'view_of_other_screen' })
})

test('the list of views finds them by screen, name and owner', async () => {
  await create(lola, { name: 'Leads', address: '/leads?status=sold' })
  await create(lola, { name: 'Unmapped', address: '/leads?tab=unmapped' })
  await create(lola, { name: 'Parcels 100%', address: '/parcels' })
  await create(admin, { name: 'Team', shared_role_ids: [role] })
  expect(await names(lola)).toEqual(['Leads', 'Parcels 100%', 'Team', 'Unmapped'])
  expect(await names(lola, '?screen=/leads')).toEqual(['Leads', 'Team'])
  expect(await names(lola, '?screen=/leads?tab=unmapped')).toEqual(['Unmapped'])
  expect(await names(lola, '?search=100%25')).toEqual(['Parcels 100%'])
  expect(await names(lola, '?is_own=false')).toEqual(['Team'])
})

test('a deleted role ends its sharing, and a deleted person has no views', async () => {
  const { app } = product
  const oldRole = (await createSample(app, admin, roles, { code: 'gone', source_ids: [] })).id
  const leaver = await createUser(app, admin, 'leaver', oldRole)
  const team = await create(admin, { name: 'Team', shared_role_ids: [oldRole, role] })
  await create(leaver, {})
  await call(leaver, 'PUT', `/api/views/${team.id}/default/`, { is_default: true })
  // No call deletes a person. An operator does it in the database.
  await product.deps.pool.query(
    `with ended as (delete from sessions where user_id in (select id from users where username = 'leaver')),
       forgotten as (delete from audit_log where user_id in (select id from users where username = 'leaver'))
     select 1`,
  )
  await product.deps.pool.query(`delete from users where username = 'leaver'`)
  expect((await call(admin, 'DELETE', `/api/admin/roles/${oldRole}`)).statusCode).toBe(200)
  expect(await list(admin)).toMatchObject([{ name: 'Team', shared_role_ids: [role] }])
  const { rows } = await product.deps.pool.query(
    `select (select count(*) from saved_views) as views, (select count(*) from saved_view_defaults) as defaults`,
  )
  expect(rows).toEqual([{ views: 1, defaults: 0 }])
})

test('the audit log has each change of a view, with what changed', async () => {
  await product.deps.pool.query(`delete from audit_log where resource = 'saved-views'`)
  const { id } = await create(admin, { address: '/leads?status=sold' })
  await call(admin, 'PUT', `/api/views/${id}/`, { name: 'Mine' })
  await call(admin, 'PUT', `/api/views/${id}/`, { name: 'Team', shared_role_ids: [role] })
  await call(admin, 'PUT', `/api/views/${id}/default/`, { is_default: true })
  await call(admin, 'DELETE', `/api/views/${id}/`)
  expect(await readLog()).toEqual([
    {
      action: 'create',
      old_values: null,
      new_values: { name: 'Mine', address: '/leads?status=sold', shared_role_ids: [] },
    },
    {
      action: 'update',
      old_values: { name: 'Mine', shared_role_ids: [] },
      new_values: { name: 'Team', shared_role_ids: [role] },
    },
    {
      action: 'delete',
      old_values: expect.objectContaining({ name: 'Team', shared_role_ids: [role] }) as object,
      new_values: null,
    },
  ])
})
