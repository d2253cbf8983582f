import { getListKeys, getReadableFields, type Resource } from '@karvon/contract/lib/resource.ts'
import type { PageMeta } from '@karvon/contract/lib/page.ts'
import { resources } from '@karvon/contract/registry.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../test/app.ts'
import { createSample, type Row } from '../../test/sample.ts'

let product: Product
let admin: Session

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
  for (const of of resources) for (let i = 0; i < 4; i += 1) await createSample(product.app, admin, of)
})
afterAll(() => product.close())

type List = { items: Row[]; meta: PageMeta }

async function list(of: Resource, query: Record<string, string | number>): Promise<List> {
  const answer = await callApi(
    product.app,
    admin,
    'GET',
    `${of.path}/?${new URLSearchParams(query as Record<string, string>).toString()}`,
  )
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<List>()
}
/** All rows of all pages. */
async function listAll(of: Resource, query: Record<string, string | number>): Promise<List> {
  const first = await list(of, { ...query, per_page: 200 })
  for (let page = 2; page <= first.meta.last_page; page += 1) {
    first.items.push(...(await list(of, { ...query, per_page: 200, page })).items)
  }
  return first
}
const ids = ({ items }: { items: Row[] }) => items.map((row) => row.id)

describe.each(resources.map((of) => [of.name, of] as const))('the list of %s', (_name, of) => {
  test('the list has pages in both styles, stable and equal from either end', async () => {
    const fullList = await listAll(of, {})
    const total = fullList.items.length
    expect(total).toBeGreaterThanOrEqual(4)
    expect(fullList.meta).toMatchObject({ total, total_items: total, filtered_total: total, per_page: 200 })
    expect(ids(await list(of, { limit: 200 }))).toEqual(ids(fullList).slice(0, 200))

    const size = Math.min(199, Math.ceil(total / 7))
    const last = Math.ceil(total / size)
    const pages: number[] = []
    for (let page = 1; page <= last; page += 1) {
      const pageList = await list(of, { page, per_page: size })
      expect(pageList.meta).toMatchObject({
        current_page: page,
        last_page: last,
        items_on_page: pageList.items.length,
        has_next: page < last,
        has_previous: page > 1,
        next_page: page < last ? page + 1 : null,
        prev_page: page > 1 ? page - 1 : null,
      })
      pages.push(...ids(pageList))
    }
    expect(pages).toEqual(ids(fullList))
    const skippedIds: number[] = []
    for (let skip = 0; skip < total; skip += size + 1)
      skippedIds.push(...ids(await list(of, { skip, limit: size + 1 })))
    expect(skippedIds).toEqual(ids(fullList))

    const past = await list(of, { page: 5000, per_page: 10 })
    expect(past).toMatchObject({
      items: [],
      meta: { total, items_on_page: 0, current_page: 5000, has_next: false },
    })
    expect(past.meta.prev_page).toBe(past.meta.last_page)
    expect((await list(of, {})).meta.per_page).toBe(of.quirks.pageSize)
  })

  test('the list refuses invalid pages, sorts and filters', async () => {
    const bad = [
      'page=0',
      'page=-1',
      'page=abc',
      'per_page=0',
      'per_page=201',
      'limit=1.5',
      'skip=-1',
      'page=1&page=2',
    ]
    bad.push(
      'page=1e99',
      'skip=99999999999999',
      'sort=nope',
      'sort=password_hash',
      'search=%00',
      'id=x',
      'id=1.5',
    )
    for (const query of bad) {
      const answer = await callApi(product.app, admin, 'GET', `${of.path}/?${query}`)
      expect(answer.statusCode, query).toBe(422)
      expect(answer.json()).toHaveProperty('errors.0.field', query.split('=')[0])
    }
    // An empty value counts as absent, and an unknown key is ignored.
    expect(ids(await list(of, { page: '', sort: '', id: '', search: '', unknown: '1' }))).toEqual(
      ids(await list(of, {})),
    )
  })

  test('the list sorts by every column both ways, with rows without a value last', async () => {
    for (const key of getListKeys(of.fields)) {
      const up = await listAll(of, { sort: key })
      const down = await listAll(of, { sort: `-${key}` })
      const [without, withValue] = [true, false].map((isNull) =>
        up.items.filter((row) => (row[key] === null) === isNull).toReversed(),
      )
      const expectedIds = ids({ items: [...(withValue ?? []), ...(without ?? [])] })
      expect(ids(down), key).toEqual(expectedIds)
      // The last page is read from its end.
      const lastPage = await list(of, { sort: `-${key}`, per_page: 1, page: expectedIds.length })
      expect(ids(lastPage), key).toEqual(expectedIds.slice(-1))
      const values = up.items.map((row) => row[key])
      for (let i = 1; i < values.length; i += 1)
        expect(compare(values[i - 1], values[i]), `${key} at ${i}`).toBeLessThanOrEqual(0)
    }
  })

  test('the list sorts names in any letter case, and ё as е', async () => {
    const key = of.nameField
    if (of.fields[key]?.kind !== 'text') return
    const names = ['ёлка', 'Яблоко', 'абрикос', 'Zebra', 'Ежевика', 'apple', 'Еда']
    const samples = await Promise.all(
      names.map((name) => createSample(product.app, admin, of, { [key]: `сорт ${name}` })),
    )
    const sorted = ['apple', 'Zebra', 'абрикос', 'Еда', 'Ежевика', 'ёлка', 'Яблоко']
    const expectedIds = sorted.map((name) => samples[names.indexOf(name)]?.id)
    expect(ids(await list(of, { search: 'сорт', sort: key }))).toEqual(expectedIds)
    expect(ids(await list(of, { search: 'сорт', sort: `-${key}` }))).toEqual(expectedIds.toReversed())
  })

  test('the list filters by every column exactly, except the one that is searched by name', async () => {
    const fullList = await listAll(of, {})
    for (const key of getListKeys(of.fields).filter((listKey) => listKey !== of.quirks.searchBy)) {
      const sample = fullList.items.find((row) => row[key] !== null)?.[key]
      if (typeof sample !== 'string' && typeof sample !== 'number' && typeof sample !== 'boolean') continue
      const filteredList = await listAll(of, { [key]: String(sample) })
      expect(ids(filteredList), key).toEqual(
        fullList.items.filter((row) => row[key] === sample).map((row) => row.id),
      )
      expect(filteredList.meta).toMatchObject({
        total: fullList.items.length,
        filtered_total: filteredList.items.length,
      })
    }
  })

  test('the search ignores letter case, the dots of ё and the kind of an apostrophe, and takes % _ and backslash literally', async () => {
    const key = getReadableFields(of.fields).find(([, f]) => f.search)?.[0]
    if (key === undefined) return
    const markedText = String.raw`СКИДКА 100%_of\всё yoʻl`
    const row = await createSample(product.app, admin, of, { [key]: markedText })
    for (const search of [
      'скидка',
      'СКИДКА 100%',
      '%_',
      String.raw`f\в`,
      ' всё ',
      ' ВСЕ ',
      "yo'l",
      'YO’L',
      'yo`',
    ]) {
      expect(ids(await list(of, { search })), search).toEqual([row.id])
    }
    for (const search of ['СКИДКА_100', 'скидка%всё', "' or true --", 'yol'])
      expect(ids(await list(of, { search }))).toEqual([])
    const meta = (await list(of, { search: 'скидка', page: 2 })).meta
    expect(meta).toMatchObject({ filtered_total: 1, items_on_page: 0, last_page: 1 })
  })
})

test('streams are filtered by a part of their name in any letter case, with other filters', async () => {
  const streams = resources.find(({ name }) => name === 'streams') as Resource
  const stream = await createSample(product.app, admin, streams, {
    name: String.raw`Осень 50%_off\Reels`,
    is_active: true,
  })
  const otherStream = await createSample(product.app, admin, streams, { name: 'осень', is_active: false })
  for (const name of [
    '50%_OFF',
    'осень 50',
    String.raw`off
`,
    ' reels ',
  ])
    expect(ids(await list(streams, { name })), name).toEqual([stream.id])
  expect(ids(await list(streams, { name: 'ОСЕНЬ', sort: 'id' }))).toEqual([stream.id, otherStream.id])
  expect(ids(await list(streams, { name: 'осень', is_active: 'false' }))).toEqual([otherStream.id])
  expect(ids(await list(streams, { name: 'осень%reels' }))).toEqual([])
  expect(ids(await list(streams, { name: 'осень', search: 'reels' }))).toEqual([stream.id])
})

function compare(a: unknown, b: unknown): number {
  if (a === b || b === null) return 0
  if (a === null) return 1
  if (typeof a === 'string' && typeof b === 'string') {
    const [first, second] = [a, b].map((text) => text.toLowerCase().replaceAll('ё', 'е')) as [string, string]
    return first === second ? 0 : first < second ? -1 : 1
  }
  return Number(a) - Number(b)
}
