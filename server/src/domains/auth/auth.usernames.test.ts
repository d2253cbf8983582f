import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, signIn, type Product } from '../../../test/app.ts'
import { createAdmin } from './account-recovery.ts'
import { ensureFirstAdmin } from './first-admin.ts'

const password = 'uzun so‘z 41'
/** As some programs of macOS write it: the accent is a character of its own. */
const decomposedName = 'Nurgül'.normalize('NFD')

let product: Product
beforeAll(async () => {
  product = await createTestApp()
})
afterAll(() => product.close())

const removeUsers = () => product.deps.pool.query('truncate users cascade')

test.each([
  ['create-admin', (username: string) => createAdmin(product.deps, { username, password })],
  ['the first start', (username: string) => ensureFirstAdmin(product.deps, { username, password })],
])('people can sign in with a username that %s gets in another form', async (_what, create) => {
  for (const username of [decomposedName, ' boss ', 'boss\u00a0']) {
    await removeUsers()
    await create(username)
    for (const spelling of [username, username.trim().normalize('NFC').toUpperCase()])
      await expect(signIn(product.app, spelling, password), spelling).resolves.toBeDefined()
  }
})

test('create-admin and the first start refuse a username with which nobody could sign in', async () => {
  await removeUsers()
  for (const [username, message] of [
    ['ﬁruza', 'has letters that look like others.'],
    ['İroda', 'has letters that look like others.'],
    ['bo\u200bss', 'has letters that look like others.'],
    [' \u200b', 'is required'],
  ] as const) {
    await expect(createAdmin(product.deps, { username, password })).rejects.toThrow(`Username ${message}`)
    await expect(ensureFirstAdmin(product.deps, { username, password })).rejects.toThrow(
      `KARVON_ADMIN_USERNAME ${message}`,
    )
  }
})
