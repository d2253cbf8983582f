import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseDatabaseUrl } from './config.database-url.ts'
import { readConfig } from './config.ts'

test('the settings of the database have their bounds, and a direct URL needs the other one', () => {
  const DATABASE_URL = 'postgres://db/karvon'
  const direct = { KARVON_DATABASE_DIRECT_URL: 'postgres://u:hunter2@db:5432/karvon' }
  expect(readConfig({ DATABASE_URL, ...direct, KARVON_DATABASE_POOL: '200' })).toMatchObject({
    databaseUrl: DATABASE_URL,
    databaseDirectUrl: direct.KARVON_DATABASE_DIRECT_URL,
    databasePool: 200,
  })
  for (const wrong of ['4', '201', 'many'])
    expect(() => readConfig({ DATABASE_URL, KARVON_DATABASE_POOL: wrong })).toThrow('from 5 to 200')
  expect(() => readConfig({ KARVON_DATABASE_POOL: '41' })).toThrow('from 5 to 40')
  expect(() => readConfig(direct)).toThrow('KARVON_DATABASE_DIRECT_URL needs DATABASE_URL')
})

test('the TLS variables of libpq become parameters of both URLs, unless a URL has its own', () => {
  const folder = mkdtempSync(join(tmpdir(), `karvon-config-${'x'.repeat(60)}-`))
  const root = join(folder, 'root.crt')
  writeFileSync(root, '')
  const { databaseUrl, databaseDirectUrl } = readConfig({
    DATABASE_URL: 'postgres://db/karvon?sslmode=require',
    KARVON_DATABASE_DIRECT_URL: 'postgres://db/karvon',
    PGSSLMODE: 'verify-full',
    PGSSLROOTCERT: root,
  })
  const query = `sslrootcert=${encodeURIComponent(root)}`
  expect(databaseUrl).toBe(`postgres://db/karvon?sslmode=require&${query}`)
  expect(databaseDirectUrl).toBe(`postgres://db/karvon?sslmode=verify-full&${query}`)
  rmSync(folder, { recursive: true })
  expect(() => readConfig({ DATABASE_URL: 'postgres://db/karvon', PGSSLROOTCERT: root })).toThrow(
    'PGSSLROOTCERT names a file that cannot be read (ENOENT)',
  )
})

test.each([
  [
    'sslmode=on',
    'sslmode (PGSSLMODE) must be one of disable, allow, prefer, require, verify-ca, verify-full',
  ],
  ['sslmode=verify-full', 'sslmode=verify-full needs sslrootcert (PGSSLROOTCERT)'],
  ['sslrootcert=system&sslmode=require', 'sslrootcert=system needs sslmode=verify-full'],
  ['sslmode=require&sslcert=a.crt', 'sslcert (PGSSLCERT) and sslkey (PGSSLKEY) need each other'],
  ['ssl=true', 'ssl is no parameter of libpq: use sslmode'],
  ['target_session_attrs=standby', 'target_session_attrs must be one of any, read-write, primary'],
  [`host=${Array.from({ length: 11 }, (_, n) => `db${n}`).join()}`, 'it names more than 10 hosts'],
])('a database URL with %s is refused without its password', (query, problem) => {
  const DATABASE_URL = `postgres://u:hunter2@db/karvon?${query}`
  expect(() => readConfig({ DATABASE_URL })).toThrow(`DATABASE_URL cannot be used: ${problem}`)
  expect(() => readConfig({ DATABASE_URL })).not.toThrow('hunter2')
})

test.each([
  [
    'postgres://u:p@a:1,[::1]:2,c/karvon',
    ['postgres://u:p@a:1/karvon', 'postgres://u:p@[::1]:2/karvon', 'postgres://u:p@c/karvon'],
  ],
  [
    'postgres://u@/karvon?host=a,b&port=1,2',
    ['postgres://u@/karvon?host=a&port=1', 'postgres://u@/karvon?host=b&port=2'],
  ],
  ['postgres://u@/karvon?host=%2Frun&target_session_attrs=any', ['postgres://u@/karvon?host=%2Frun']],
  ['postgres:///karvon', ['postgres:///karvon']],
  ['postgres://u:p#1@db/karvon', ['postgres://u:p%231@db/karvon']],
])('the database address %s names its hosts', (url, hostUrls) => {
  expect(parseDatabaseUrl(url).hostUrls).toEqual(hostUrls)
})

test('the read replica needs a primary and names one host', () => {
  const replica = 'postgres://karvon@standby/karvon'
  expect(
    readConfig({ DATABASE_URL: 'postgres://karvon@primary/karvon', KARVON_DATABASE_READ_URL: replica }),
  ).toMatchObject({
    databaseReadUrl: replica,
    databaseReadMaxLag: 10,
  })
  expect(() => readConfig({ KARVON_DATABASE_READ_URL: replica })).toThrow(
    'KARVON_DATABASE_READ_URL needs DATABASE_URL',
  )
  const two = {
    DATABASE_URL: 'postgres://karvon@primary/karvon',
    KARVON_DATABASE_READ_URL: 'postgres://karvon@a,b/karvon',
  }
  expect(() => readConfig(two)).toThrow('must name one host')
})

test('PGSSLMODE with a wrong value is refused by its name', () => {
  expect(() => readConfig({ DATABASE_URL: 'postgres://db/karvon', PGSSLMODE: 'on' })).toThrow('PGSSLMODE')
})

test.each([
  'postgres://u:hunter2@db:65536/karvon',
  'postgres://u:hunter2@d b/karvon',
  'postgres://u:hunter2@db:5432x/karvon',
])('the database URL %s is refused without its password', (DATABASE_URL) => {
  expect(() => readConfig({ DATABASE_URL })).toThrow('DATABASE_URL cannot be used: a host must look like')
  expect(() => readConfig({ DATABASE_URL })).not.toThrow('hunter2')
})

test('a database URL with a broken encoding of the password is refused without it', () => {
  const DATABASE_URL = 'postgres://u:hunter2%ff@db/karvon'
  expect(() => readConfig({ DATABASE_URL })).toThrow(
    'DATABASE_URL cannot be used: a % in the user or the password',
  )
  expect(() => readConfig({ DATABASE_URL })).not.toThrow('hunter2')
})
