import { afterAll, expect, test } from 'vitest'
import { openAccounts, getMailedToken } from '../../../test/accounts.ts'
import { Canaries } from '../../../test/canaries.ts'

const fixture = await openAccounts()
afterAll(() => fixture.close())

const canaries = new Canaries()
const outputs: string[] = []
async function post(path: string, body: object): Promise<number> {
  const answer = await fixture.post(path, body)
  outputs.push(JSON.stringify(answer.headers) + answer.body)
  return answer.statusCode
}
/** Requests a link and registers its token as a canary. */
async function link(): Promise<string> {
  await fixture.query('delete from sign_in_failures')
  await fixture.query('delete from reset_mails')
  expect(await post('forgot-password', { email: 'oygul@example.uz' })).toBe(202)
  await fixture.runJob()
  const token = getMailedToken(fixture.smtp.received.at(-1)?.text ?? '')
  canaries.add(`token ${fixture.smtp.received.length}`, token)
  return token
}

test('no token and no password is answered, logged, counted or stored, also when mail fails', async () => {
  canaries.add('password of the mail server', 'desk-password')
  await fixture.createPerson('oygul', 'oygul@example.uz')
  for (const fields of [{}, { username: 'admin' }, { email: 'nobody' }, { username: '' }])
    await post('register', {
      username: 'guest',
      email: 'guest@example.uz',
      password: canaries.create(`password ${outputs.length}`),
      ...fields,
    })
  const token = await link()
  const wrong = canaries.create('unknown token')
  expect(
    await post('reset-password', { token: wrong, password: canaries.create('password of nobody') }),
  ).toBe(422)
  expect(await post('reset-password', { token: [token], password: canaries.create('of a list') })).toBe(422)
  expect(await post('reset-password', { token, password: canaries.create('password of a link') })).toBe(200)
  expect(await post('reset-password', { token, password: canaries.create('password too late') })).toBe(422)
  for (const mode of ['echo', 'lost', 'spam', 'drop', 'unknown'] as const) {
    fixture.smtp.mode = mode
    await link()
  }
  // The answer must not repeat an invalid address either.
  const brokenAnswer = await fixture.product.app.inject({
    method: 'POST',
    url: '/parcel/auth/reset-password',
    headers: { 'content-type': 'application/json' },
    payload: `{"token": "${canaries.create('broken')}"`,
  })
  outputs.push(brokenAnswer.body, (await fixture.product.app.inject('/metrics')).body)
  const tables = await fixture.query(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  )
  let rows = 0
  for (const { name = '' } of tables) {
    for (const { text = '' } of await fixture.query(`select t::text as text from "${name}" t`)) {
      rows += 1
      expect(canaries.findIn(text), `${name}: ${text}`).toEqual([])
    }
  }
  expect(rows).toBeGreaterThan(20)
  expect(fixture.log.filter((line) => line.includes('Answered')).length).toBeGreaterThan(15)
  expect(fixture.log.filter((line) => line.includes('A message was not sent')).length).toBe(5)
  for (const line of [...fixture.log, ...outputs]) expect(canaries.findIn(line), line).toEqual([])
})
