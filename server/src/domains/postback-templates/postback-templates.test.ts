import { postbackTemplates } from '@karvon/contract/postback-templates/postback-templates.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../../test/app.ts'
import { createSample, type Row } from '../../../test/sample.ts'

let product: Product
let admin: Session
let row: Row

beforeAll(async () => {
  product = await createTestApp({ KARVON_OUTBOUND_ALLOW: '10.0.0.5:8443' })
  admin = await signInAdmin(product.app)
  row = await createSample(product.app, admin, postbackTemplates)
})
afterAll(() => product.close())

const save = (body: Record<string, unknown>) =>
  callApi(product.app, admin, 'PUT', `${postbackTemplates.path}/${row.id}`, body)

const macro = 'URL must not contain a macro in its host'
const outside = /^URL must lead to a public address, unless KARVON_OUTBOUND_ALLOW names .+$/

test.each([
  ['http://{sub1}/', macro],
  ['https://{sub1}.example.com/x', macro],
  ['https://track.example.com{sub1}/x', macro],
  [String.raw`http://\{sub1}/x`, macro],
  ['http://{sub1}@example.com/', 'URL must not contain a user name or a password'],
  ['http://example.com:{sub1}/', 'URL must be an http or https address'],
  ['http://user:pass@example.com/', 'URL must not contain a user name or a password'],
  ['http://127.0.0.1/', outside],
  ['http://2130706433/', outside],
  ['http://[::ffff:10.0.0.1]/', outside],
  ['http://localhost/x?{sub1}', outside],
  ['http://169.254.169.254/latest', outside],
  [
    'https://example.com:6379/',
    /^URL must use port 80 or 443, unless KARVON_OUTBOUND_ALLOW names example.com:6379$/,
  ],
  ['https://10.0.0.5/', outside],
  ['ftp://example.com/', 'URL must start with http:// or https://'],
])('a template with the address %s is refused', async (url, message) => {
  const answer = await save({ url })
  expect(answer.statusCode).toBe(422)
  expect(answer.json()).toMatchObject({
    code: 'invalid',
    errors: [{ field: 'url', message: expect.stringMatching(message) }],
  })
  expect(
    (await callApi(product.app, admin, 'POST', `${postbackTemplates.path}/`, { ...row, url })).statusCode,
  ).toBe(422)
})

const macros =
  '{status} {source_status} {payout} {currency} {lead_id} {offer_id} {offer_name} {stream_id} {date} {timestamp} {sub1…sub15} {click}'

test.each(['nobody', 'Sub16', 'constructor'])(
  'a template with the unknown macro %s is refused',
  async (name) => {
    const answer = await save({ url: `https://track.example.com/?s={status}&x={${name}}` })
    expect([answer.statusCode, answer.json()]).toMatchObject([
      422,
      {
        errors: [
          {
            field: 'url',
            code: 'unknown_macro',
            message: `URL has the unknown macro {${name}}. Known macros: ${macros}`,
          },
        ],
      },
    ])
  },
)

test('a stored template with an unknown macro can be changed while its URL stays', async () => {
  const url = 'https://track.example.com/?x={nobody}'
  await product.deps.pool.query('update postback_templates set url = $1 where id = $2', [url, row.id])
  const answer = await save({ url, is_active: false })
  expect([answer.statusCode, answer.json()]).toMatchObject([200, { url, is_active: false }])
})

test.each([
  'https://track.example.com/{sub1}?status={STATUS}&x={click}&braces={}#{sub15}',
  'http://8.8.8.8/?s={status}',
  'https://10.0.0.5:8443/postback?id={lead_id}',
])('a template keeps the address %s unchanged', async (url) => {
  expect((await save({ url })).json()).toMatchObject({ url })
})

test('the state of a template is a report column, or none for any change', async () => {
  expect((await save({ state: 'sold' })).json()).toHaveProperty('state', 'sold')
  expect((await save({ state: '' })).json()).toHaveProperty('state', null)
  const answer = await save({ state: 'paid' })
  expect([answer.statusCode, answer.json()]).toMatchObject([
    422,
    { errors: [{ field: 'state', message: 'State must be one of the offered values' }] },
  ])
  const filterAnswer = await callApi(product.app, admin, 'GET', `${postbackTemplates.path}/?state=paid`)
  expect(filterAnswer.statusCode).toBe(422)
})
