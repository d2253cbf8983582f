import { ConnectorDescription } from '@karvon/contract/connectors/description.ts'
import { connectors } from '@karvon/contract/connectors/connectors.ts'
import { cpaWebsites } from '@karvon/contract/cpa-websites/cpa-websites.ts'
import { getWritableFields, type Resource } from '@karvon/contract/lib/resource.ts'
import { resources } from '@karvon/contract/registry.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../test/app.ts'
import { invalidUrls, buildForbiddenUrls } from '../../test/hostile-urls.ts'
import { createSample, sampleBody, type Row } from '../../test/sample.ts'

/** A port of this machine that the operator allows. */
const allowedPort = 18_443
let product: Product
let admin: Session

beforeAll(async () => {
  product = await createTestApp({ KARVON_OUTBOUND_ALLOW: `127.0.0.1:${allowedPort}` })
  admin = await signInAdmin(product.app)
})
afterAll(() => product.close())

const send = (method: 'PUT' | 'POST', url: string, body: object) =>
  callApi(product.app, admin, method, url, body)

/** Fields that are shown as links and never called. Any other address must be safe to call. */
const shownFields = ['cpa-sources.url', 'streams.url']
const fields = resources.flatMap((of) =>
  getWritableFields(of.fields).map(([key, { kind, label }]) => ({
    of,
    key,
    kind,
    label,
    at: `${of.name}.${key}`,
  })),
)
const addresses = fields.filter(({ kind }) => kind === 'url')

test('every field named like an address is declared as a url', () => {
  const urlFields = fields.filter(({ key }) => /url|link|href|img|image|address|host/.test(key))
  expect(urlFields.filter(({ kind }) => kind !== 'url').map(({ at }) => at)).toEqual([])
  expect(addresses.map(({ at }) => at)).toEqual(expect.arrayContaining(shownFields))
})

describe.each(addresses)('$at', ({ of, key, label, at }) => {
  let row: Row
  let body: Record<string, unknown>
  beforeAll(async () => {
    row = await createSample(product.app, admin, of)
    body = await sampleBody(product.app, admin, of)
  })

  /** An update and, with `isNew`, a create with the address are refused. */
  const sendRefused = async (url: string, isNew: boolean) => {
    const answers = [await send('PUT', `${of.path}/${row.id}/`, { [key]: url })]
    if (isNew) answers.push(await send('POST', `${of.path}/`, { ...body, [key]: url }))
    for (const answer of answers)
      expect([answer.statusCode, answer.json()], url).toMatchObject([
        422,
        { errors: [{ field: key, message: expect.stringMatching(`^${label} must `) }] },
      ])
  }

  test('a value that is no web address is refused', async () => {
    for (const [i, url] of invalidUrls.entries()) await sendRefused(url, i < 3)
    expect(await readStored(of, row.id, key)).toBe(row[key])
  })

  test.skipIf(shownFields.includes(at))('an address that must not be called is refused', async () => {
    for (const [i, url] of buildForbiddenUrls(allowedPort + 1).entries()) await sendRefused(url, i < 3)
    expect(await readStored(of, row.id, key)).toBe(row[key])
  })

  test('a public address and an address allowed by the operator are accepted', async () => {
    for (const url of ['https://example.com/x?y=1', `http://127.0.0.1:${allowedPort}/x`]) {
      // A stored password is sent to its host only, so another host needs the password again.
      const pass = body.pass === undefined ? {} : { pass: body.pass }
      const answer = await send('PUT', `${of.path}/${row.id}/`, { [key]: url, ...pass })
      expect([answer.statusCode, answer.json()], answer.body).toMatchObject([200, { [key]: url }])
    }
  })
})

async function readStored(of: Resource, id: number, key: string): Promise<unknown> {
  const table = of.name.replaceAll('-', '_')
  const { rows } = await product.deps.pool.query<Row>(`select * from ${table} where id = $1`, [id])
  return rows[0]?.[key]
}

/** The paths of addresses in a description, by its schema. */
function placesIn(schema: object, path: string[] = []): string[][] {
  const { properties = {} } = schema as { properties?: Record<string, object> }
  return Object.entries(properties).flatMap(([name, of]) => {
    if (name === 'fields') return []
    return /(^|_)url$/.test(name) ? [[...path, name]] : placesIn(of, [...path, name])
  })
}
const places = placesIn(ConnectorDescription)

test("a connector's description has addresses of its own", () => {
  expect(places.length).toBeGreaterThan(5)
})

describe.each(places.map((place) => [place.join('.'), place] as const))(
  '%s of a description',
  (at, [first = '', second]) => {
    const paging = { by: 'none' }
    const filling: Record<string, object> = {
      sign_in: { token: 'token' },
      transactions: { items: '', paging, fields: { amount: 'a', created_at: 'b' } },
      withdrawals: {
        items: '',
        paging,
        paid_statuses: ['paid'],
        fields: { amount: 'a', status: 'b', created_at: 'c' },
      },
      finance: { fields: {} },
      orders: { items: '', paging, fields: { external_id: 'a', status: 'b', created_at: 'c' } },
      offers: { items: '', paging, fields: { extra_id: 'a', name: 'b' } },
      offer: { item: '', fields: { extra_id: 'a', name: 'b' } },
      streams: { items: '', paging, fields: { extra_id: 'a', name: 'b' } },
    }
    const buildDescription = (url: string) => ({
      [first]: second === undefined ? url : { ...filling[first], [second]: url },
    })

    test('a bad address in a description is refused, in a connector and in a mapping', async () => {
      const website = await createSample(product.app, admin, cpaWebsites)
      const connector = await createSample(product.app, admin, connectors)
      const sendBoth = async (url: string) => [
        await send('PUT', `${connectors.path}/${connector.id}/`, { description: buildDescription(url) }),
        await send('PUT', `${cpaWebsites.path}/${website.id}/`, { mapping: buildDescription(url) }),
      ]
      const relative = invalidUrls.filter((url) => url.startsWith('/'))
      // A few of each kind are enough, because the fields above use the same check.
      const selectedUrls = [...invalidUrls, ...buildForbiddenUrls(allowedPort + 1)].filter(
        (_, i) => i % 3 === 0,
      )
      const hostile = [...selectedUrls, 'http://{token}.example.com/'].filter(
        (url) => !relative.includes(url),
      )
      for (const url of hostile)
        for (const answer of await sendBoth(url)) {
          const { errors: [problem] = [] } = answer.json<{ errors?: { message: string }[] }>()
          expect([answer.statusCode, problem?.message], url).toEqual([
            422,
            expect.stringMatching(`^(Description|Mapping): ${at.replace('.', '\\.')} must `),
          ])
        }
      for (const url of [...relative, 'https://example.com/{token}', `http://127.0.0.1:${allowedPort}/`])
        for (const answer of await sendBoth(url)) expect(answer.statusCode, answer.body).toBe(200)
    })
  },
)
