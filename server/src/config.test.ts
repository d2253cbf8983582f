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
    KARVON_OUTBOUND_ALLOW: '10.0.0.5:8443, [::1]:80 fake:9000',
    KARVON_PROCESS: 'WEB',
  })
  expect(config).toMatchObject({ port: 0, demo: false, process: 'web' })
  expect(config.outboundAllow).toEqual(['10.0.0.5:8443', '[::1]:80', 'fake:9000'])
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

const live = {
  KARVON_PASSWORD_RESET: 'live',
  KARVON_SMTP_URL: 'smtps://desk:p%40ss@mail.example.uz:465',
  KARVON_MAIL_FROM: 'Karvon Экспресс <desk@example.uz>',
  KARVON_PUBLIC_URL: 'https://desk.example.uz/',
}

test('a reset by mail needs a mail server, a sender and an own address, and names all that is missing', () => {
  expect(readConfig({})).toMatchObject({
    registration: 'simulated',
    passwordReset: 'simulated',
    bulkUsers: 'log',
    requireSecondFactor: 'off',
  })
  expect(readConfig({ KARVON_REQUIRE_SECOND_FACTOR: 'admins' }).requireSecondFactor).toBe('admins')
  expect(() => readConfig({ KARVON_REQUIRE_SECOND_FACTOR: 'all' })).toThrow(
    'KARVON_REQUIRE_SECOND_FACTOR is "all": use off, admins, or leave it out for off.',
  )
  expect(readConfig({ KARVON_REGISTRATION: 'live', KARVON_BULK_USERS: 'live' })).toMatchObject({
    registration: 'live',
    passwordReset: 'simulated',
    bulkUsers: 'live',
  })
  expect(readConfig(live)).toMatchObject({
    mail: { smtpUrl: live.KARVON_SMTP_URL, from: { name: 'Karvon Экспресс', address: 'desk@example.uz' } },
    publicUrl: 'https://desk.example.uz',
  })
  expect(() => readConfig({ KARVON_PASSWORD_RESET: 'live' })).toThrow(
    /KARVON_MAIL_FROM is needed for KARVON_PASSWORD_RESET=live.*\n.*KARVON_SMTP_URL is needed.*\n.*KARVON_PUBLIC_URL is needed/,
  )
})

test.each(['127.0.0.1:3310', '[::1]:3310', 'clamd.internal:65535', '/run/clamav/clamd.ctl'])(
  'KARVON_CLAMAV may be %s',
  (address) => {
    expect(readConfig({ KARVON_CLAMAV: address }).clamav).toBe(address)
  },
)

test.each([
  ['KARVON_CLAMAV', ['clamd', 'clamd:0', 'clamd:65536', 'tcp://clamd:3310', ':3310', 'run/clamd.ctl']],
  [
    'KARVON_SMTP_URL',
    ['mail.example.uz', 'https://mail.example.uz', 'smtp://', 'smtp://hunter2:hunter2@', 'smtp://h/?x=1'],
  ],
  [
    'KARVON_MAIL_FROM',
    ['desk', 'a@b.uz, c@d.uz', 'X <a@b.uz>\r\nBcc: c@d.uz', 'a@b.uz>', '"X" <a@b.uz>', 'X <a b@c.uz>'],
  ],
  [
    'KARVON_PUBLIC_URL',
    ['desk.example.uz', 'javascript:alert(1)', 'https://a.uz/path', 'https://u:p@a.uz', 'https://a.uz#x'],
  ],
] as const)('%s is refused where it is something else', (name, values) => {
  for (const value of values) {
    expect(() => readConfig({ ...live, [name]: value }), value).toThrow(`${name} must be `)
    expect(() => readConfig({ ...live, [name]: value })).not.toThrow('hunter2')
  }
})
