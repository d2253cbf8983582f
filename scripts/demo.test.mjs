import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { hasDemo } from './demo.mjs'

const data = mkdtempSync(join(tmpdir(), 'karvon-demo-'))
afterAll(() => rmSync(data, { recursive: true }))

test('only a demo gets fake networks', () => {
  const env = { KARVON_DATA: data }
  expect(hasDemo(env)).toBe(true)
  expect(hasDemo({ ...env, KARVON_DEMO: 'off' })).toBe(false)
  expect(hasDemo({ ...env, DATABASE_URL: 'postgres://127.0.0.1/desk' })).toBe(false)
  expect(hasDemo({ ...env, DATABASE_URL_FILE: '/run/secrets/database-url' })).toBe(false)
  mkdirSync(join(data, 'postgres'))
  expect(hasDemo(env)).toBe(false)
  writeFileSync(join(data, 'demo-networks'), '')
  expect(hasDemo(env)).toBe(true)
})
