import { isUtf8 } from 'node:buffer'
import { courierAccounts } from '@karvon/contract/courier-accounts/courier-accounts.ts'
import type { Call } from '@karvon/contract/lib/call.ts'
import { calls, resources } from '@karvon/contract/registry.ts'
import { sourceCredentials } from '@karvon/contract/source-credentials/source-credentials.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from '../../test/app.ts'
import { createSample, type Row } from '../../test/sample.ts'

// No answer shows more of a secret than its mask, however long or short the secret is.

const lengths = Array.from({ length: 40 }, (_, at) => at + 1)

let secretCount = 0
/** A secret of letters that no other secret has, so that each letter is recognised anywhere. */
function newSecret(length: number): string {
  secretCount += 1
  return Array.from({ length }, (_, at) => String.fromCodePoint(0x4e_00 + secretCount * 41 + at)).join('')
}

/** The part that the specification allows to show. */
function shownOf(key: string, plain: string): number {
  if (key === 'pass') return 0
  if (key === 'token' && plain.length > 20) return 20
  return Math.min(Math.floor(plain.length / 4), 4)
}

interface Kept {
  key: string
  plain: string
}

let product: Product
let admin: Session
const secrets: Kept[] = []
const credentials: { id: number; kept: Kept[] }[] = []
const answers: { where: string; text: string }[] = []

const get = async (url: string) => {
  const answer = await callApi(product.app, admin, 'GET', url)
  // A workbook is binary and may hold any letter by chance. Its rows are checked as csv.
  if (isUtf8(answer.rawPayload)) answers.push({ where: url, text: answer.body })
  return answer
}

beforeAll(async () => {
  product = await createTestApp()
  admin = await signInAdmin(product.app)
  const { source_id } = await createSample(product.app, admin, sourceCredentials)
  const owner = { name: 'Aziz', login: 'aziz', user_id: 1 }
  const create = async (path: string, body: object): Promise<number> => {
    const answer = await callApi(product.app, admin, 'POST', `${path}/`, body)
    answers.push({ where: `POST ${path}`, text: answer.body })
    return answer.json<Row>().id
  }
  for (const length of lengths) {
    const keptSecrets = ['pass', 'api_key', 'token'].map((key) => ({ key, plain: newSecret(length) }))
    const values = Object.fromEntries(keptSecrets.map(({ key, plain }) => [key, plain]))
    const id = await create(sourceCredentials.path, { ...owner, source_id, ...values })
    credentials.push({ id, kept: keptSecrets })
    const courier = { key: 'pass', plain: newSecret(length) }
    await create(courierAccounts.path, { ...owner, url: 'https://courier.example/api', pass: courier.plain })
    secrets.push(...keptSecrets, courier)
  }
})
afterAll(() => product.close())

test('a long token shows 20 characters, and any other secret a quarter and at most 4', async () => {
  for (const { id, kept: keptSecrets } of credentials) {
    const answer = await get(`${sourceCredentials.path}/${id}/`)
    const [row] = answer.json<{ items: Row[] }>().items
    expect(row).not.toHaveProperty('pass')
    for (const { key, plain } of keptSecrets.filter((secret) => secret.key !== 'pass'))
      expect(row?.[key], `${key} of ${plain.length}`).toBe(`${plain.slice(0, shownOf(key, plain))}…`)
  }
})

test('a secret that is saved as its mask or empty stays unchanged', async () => {
  const readEncrypted = () =>
    product.deps.db
      .selectFrom('source_credentials')
      .select(['pass', 'api_key', 'token'])
      .orderBy('id')
      .execute()
  const before = await readEncrypted()
  for (const { id } of credentials) {
    const [row] = (await get(`${sourceCredentials.path}/${id}/`)).json<{ items: Row[] }>().items
    const body = { api_key: row?.api_key, token: row?.token, pass: '' }
    const answer = await callApi(product.app, admin, 'PUT', `${sourceCredentials.path}/${id}/`, body)
    expect(answer.statusCode, answer.body).toBe(200)
    answers.push({ where: `update ${id}`, text: answer.body })
  }
  expect(await readEncrypted()).toEqual(before)
})

const listCalls = calls.filter(({ method, params }) => method === 'GET' && params === undefined)
const asFile = ({ query }: Call) =>
  Object.hasOwn(((query ?? {}) as { properties?: object }).properties ?? {}, 'format')

test('no list, row, export or audit log shows more of a secret than its mask', async () => {
  for (const call of listCalls) {
    await get(`${call.path}?per_page=200`)
    if (asFile(call)) await get(`${call.path}?format=csv`)
  }
  for (const of of resources) {
    const { items } = (await callApi(product.app, admin, 'GET', `${of.path}/?per_page=200`)).json<{
      items: Row[]
    }>()
    for (const { id } of items) await get(`${of.path}/${id}/`)
  }
  expect(answers.length).toBeGreaterThan(200)
  // Each letter belongs to one secret: one beyond the mask is a leak.
  const hiddenCharacters = new Map<string, string>()
  for (const { key, plain } of secrets)
    for (const sign of plain.slice(shownOf(key, plain)))
      hiddenCharacters.set(sign, `${key} of ${plain.length} characters`)
  for (const { where, text } of answers) {
    const leaks = new Set(Array.from(text).flatMap((sign) => hiddenCharacters.get(sign) ?? []))
    expect([...leaks], where).toEqual([])
  }
})
