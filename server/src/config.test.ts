import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

test('an empty environment gives the documented defaults', () => {
  const config = readConfig({ PORT: '', KARVON_DEMO: ' ' })
  expect(config).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    databaseUrl: undefined,
    timeZone: 'Asia/Tashkent',
    currency: 'UZS',
    demo: true,
    adminUsername: 'admin',
    secretKey: undefined,
    telegram: { token: undefined, root: 'https://api.telegram.org' },
    outboundAllow: [],
    process: 'all',
    uploadMaxBytes: 20 * 1024 * 1024,
  })
  expect(config.dataFolder).toMatch(/[/\\]data$/)
})

test('values are taken, and the demo never goes into a database that was given', () => {
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: 'postgres://u:p@db/karvon',
    KARVON_DEMO: 'on',
    KARVON_SECRET_KEY: 'ab'.repeat(32),
    KARVON_OUTBOUND_ALLOW: '10.0.0.5:8443, [::1]:80 stand-in:9000',
    KARVON_PROCESS: 'WEB',
  })
  expect(config).toMatchObject({ port: 0, demo: false, process: 'web' })
  expect(config.outboundAllow).toEqual(['10.0.0.5:8443', '[::1]:80', 'stand-in:9000'])
  expect(config.secretKey).toEqual(Buffer.alloc(32, 0xab))
  expect(readConfig({ KARVON_SECRET_KEY: Buffer.alloc(32, 1).toString('base64') }).secretKey).toEqual(
    Buffer.alloc(32, 1),
  )
})

test('everything wrong is listed at once, each with its remedy, and no secret is repeated', () => {
  const wrong = {
    PORT: '80a',
    DATABASE_URL: 'mysql://root:hunter2@db',
    KARVON_TIMEZONE: 'Tashkent',
    KARVON_SECRET_KEY: 'hunter2',
    KARVON_ADMIN_PASSWORD: 'hunter2'.repeat(40),
    KARVON_TELEGRAM_TOKEN: 'hunter2 hunter2',
    KARVON_TELEGRAM_CHAT: 'chat?',
    KARVON_TELEGRAM_ROOT: 'ftp://x',
    KARVON_OUTBOUND_ALLOW: 'nohost',
    KARVON_PROCESS: 'both',
    KARVON_DEMO: 'maybe',
    KARVON_UPLOAD_MAX_MB: '9999',
  }
  const listed = (() => {
    try {
      readConfig(wrong)
      return ''
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError)
      return (error as Error).message
    }
  })()
  expect(listed.split('\n')).toHaveLength(1 + Object.keys(wrong).length)
  for (const name of Object.keys(wrong)) expect(listed).toContain(`- ${name} `)
  expect(listed).not.toContain('hunter2')
})
