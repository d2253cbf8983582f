import { afterAll, expect, test } from 'vitest'
import { openAccounts, tokenIn } from '../../../test/accounts.ts'
import { Canaries } from '../../../test/canaries.ts'

const desk = await openAccounts()
afterAll(() => desk.close())

const canaries = new Canaries()
const said: string[] = []
async function post(path: string, body: object): Promise<number> {
  const answer = await desk.post(path, body)
  said.push(JSON.stringify(answer.headers) + answer.body)
  return answer.statusCode
}
/** Asks for a link; its token is a canary from then on. */
async function link(): Promise<string> {
  await desk.query('delete from sign_in_failures')
  await desk.query('delete from reset_mails')
  expect(await post('forgot-password', { email: 'oygul@example.uz' })).toBe(202)
  await desk.run()
  const token = tokenIn(desk.smtp.seen.at(-1)?.text ?? '')
  canaries.watch(`token ${desk.smtp.seen.length}`, token)
  return token
}

test('no token and no password is told, logged, counted or stored, on good days and bad', async () => {
  canaries.watch('password of the mail server', 'desk-password')
  await desk.person('oygul', 'oygul@example.uz')
  for (const more of [{}, { username: 'admin' }, { email: 'nobody' }, { username: '' }])
    await post('register', {
      username: 'guest',
      email: 'guest@example.uz',
      password: canaries.make(`password ${said.length}`),
      ...more,
    })
  const token = await link()
  const wrong = canaries.make('unknown token')
  expect(await post('reset-password', { token: wrong, password: canaries.make('password of nobody') })).toBe(
    422,
  )
  expect(await post('reset-password', { token: [token], password: canaries.make('of a list') })).toBe(422)
  expect(await post('reset-password', { token, password: canaries.make('password of a link') })).toBe(200)
  expect(await post('reset-password', { token, password: canaries.make('password too late') })).toBe(422)
  for (const mode of ['echo', 'lost', 'spam', 'drop', 'unknown'] as const) {
    desk.smtp.mode = mode
    await link()
  }
  // Whatever is tried as an address does not come back either.
  const broken = await desk.product.app.inject({
    method: 'POST',
    url: '/parcel/auth/reset-password',
    headers: { 'content-type': 'application/json' },
    payload: `{"token": "${canaries.make('broken')}"`,
  })
  said.push(broken.body, (await desk.product.app.inject('/metrics')).body)
  const tables = await desk.query(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  )
  let rows = 0
  for (const { name = '' } of tables) {
    for (const { text = '' } of await desk.query(`select t::text as text from "${name}" t`)) {
      rows += 1
      expect(canaries.in(text), `${name}: ${text}`).toEqual([])
    }
  }
  expect(rows).toBeGreaterThan(20)
  expect(desk.log.filter((line) => line.includes('Answered')).length).toBeGreaterThan(15)
  expect(desk.log.filter((line) => line.includes('A message was not sent')).length).toBe(5)
  for (const line of [...desk.log, ...said]) expect(canaries.in(line), line).toEqual([])
})
