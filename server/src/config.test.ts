import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

test('an empty environment gives the documented defaults', () => {
  const config = readConfig({ PORT: '', KARVON_DEMO: ' ' })
  expect(config).toMatchObject({
    port: 8080,
    host: '127.0.0.1',
    databaseUrl: undefined,
    databaseDirectUrl: undefined,
    databasePool: 10,
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

test('values are read from the environment, and a given database gets no demo', () => {
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

test('a secret setting is read from a file, and a file that is missing, empty or given twice is a problem', () => {
  const folder = mkdtempSync(join(tmpdir(), `karvon-config-${'x'.repeat(60)}-`))
  const fileOf = (name: string, text: string) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }
  const url = 'postgres://u:hunter2@db/karvon'
  expect(
    readConfig({
      DATABASE_URL_FILE: fileOf('url', `${url}\n`),
      KARVON_SECRET_KEY_FILE: fileOf('key', 'ab'.repeat(32)),
      KARVON_PROCESS: 'worker',
    }),
  ).toMatchObject({ databaseUrl: url, secretKey: Buffer.alloc(32, 0xab), process: 'worker' })
  expect(() =>
    readConfig({
      DATABASE_URL_FILE: join(folder, 'missing'),
      KARVON_ADMIN_PASSWORD_FILE: fileOf('empty', '\n'),
      KARVON_METRICS_TOKEN: 'hunter2',
      KARVON_METRICS_TOKEN_FILE: fileOf('token', 'hunter2'),
      KARVON_PROCESS: 'web',
    }),
  ).toThrow(
    [
      `Karvon cannot start with these settings:`,
      `  - DATABASE_URL_FILE names a file that cannot be read (ENOENT): "${folder}/missing".`,
      `  - KARVON_ADMIN_PASSWORD_FILE names an empty file: "${folder}/empty".`,
      `  - KARVON_METRICS_TOKEN and KARVON_METRICS_TOKEN_FILE are both set: give one of them.`,
    ].join('\n'),
  )
  rmSync(folder, { recursive: true })
})

test('a file for a setting that cannot come from one is a problem, and unknown names are listed', () => {
  expect(() => readConfig({ KARVON_TELEGRAM_CHAT_FILE: '/run/chat', PORT_FILE: '/run/port' })).toThrow(
    [
      `  - KARVON_TELEGRAM_CHAT_FILE has no effect: KARVON_TELEGRAM_CHAT cannot come from a file. Set KARVON_TELEGRAM_CHAT itself.`,
      `  - PORT_FILE has no effect: PORT cannot come from a file. Set PORT itself.`,
    ].join('\n'),
  )
  const env = {
    KARVON_SECRET_KEYS: 'x',
    KARVON_FOO_FILE: '/x',
    KARVON_EMPTY: ' ',
    OTHER: 'y',
    KARVON_LOG: 'warn',
  }
  expect(readConfig(env).unknownSettings).toEqual(['KARVON_SECRET_KEYS', 'KARVON_FOO_FILE'])
})

test('one port for the product and its metrics is a problem', () => {
  expect(() => readConfig({ KARVON_METRICS_PORT: '8080' })).toThrow(
    'PORT and KARVON_METRICS_PORT are both 8080',
  )
})

test.each([
  [{ KARVON_PROCESS: 'web' }, 'KARVON_PROCESS=web needs a database that processes share'],
  [{ KARVON_PROCESS: 'worker', NODE_ENV: 'production' }, 'KARVON_PROCESS=worker needs a database'],
  [{ NODE_ENV: 'production' }, 'NODE_ENV=production needs a database of your own'],
])('the environment %o without a database is refused with the remedy', (env, problem) => {
  expect(() => readConfig(env)).toThrow(problem)
  expect(() => readConfig(env)).toThrow('set DATABASE_URL or DATABASE_URL_FILE')
  expect(readConfig({ ...env, DATABASE_URL: 'postgres://db/karvon' }).databaseUrl).toBe(
    'postgres://db/karvon',
  )
})

test('a process that serves people drains for 5 seconds unless a setting says otherwise', () => {
  const DATABASE_URL = 'postgres://db/karvon'
  expect(readConfig({}).drainSeconds).toBe(0)
  expect(readConfig({ DATABASE_URL, KARVON_PROCESS: 'web' }).drainSeconds).toBe(5)
  expect(readConfig({ KARVON_DRAIN_SECONDS: '30' }).drainSeconds).toBe(30)
})

const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }

test.each([
  [{}, undefined],
  [collector, { sampler: 'parentbased_always_on', ratio: 1, headers: '' }],
  [
    {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:4318/v1/traces',
      OTEL_TRACES_SAMPLER: 'always_off',
    },
    { sampler: 'always_off', ratio: 1, headers: '' },
  ],
  [
    { ...collector, OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' },
    { sampler: 'parentbased_traceidratio', ratio: 0.25, headers: '' },
  ],
  [{ ...collector, OTEL_SDK_DISABLED: 'true' }, undefined],
  [{ ...collector, OTEL_TRACES_EXPORTER: 'none' }, undefined],
])('the variables %o of OpenTelemetry give the settings %o', (env, expected) => {
  expect(readConfig(env).tracing).toEqual(expected)
})

test.each([
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
  ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
  ['OTEL_TRACES_SAMPLER_ARG', '2'],
])('%s=%s is refused, because traces would be missing without an error', (name, value) => {
  expect(() => readConfig({ ...collector, [name]: value })).toThrow(`- ${name} `)
})

test.each([
  ['Asia/Kathmandu', 'Asia/Kathmandu'],
  ['Europe/Kyiv', 'Europe/Kyiv'],
  ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['asia/tashkent', 'Asia/Tashkent'],
  ['US/Eastern', 'America/New_York'],
])('the time zone %s has the name %s', (KARVON_TIMEZONE, timeZone) => {
  expect(readConfig({ KARVON_TIMEZONE }).timeZone).toBe(timeZone)
})

test('all wrong variables are reported at once with a remedy, and no secret is repeated', () => {
  const wrong = {
    PORT: '80a',
    DATABASE_URL: 'mysql://root:hunter2@db',
    KARVON_TIMEZONE: 'Tashkent',
    KARVON_CURRENCY: 'SUM',
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
  const problemText = (() => {
    try {
      readConfig(wrong)
      return ''
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError)
      return (error as Error).message
    }
  })()
  expect(problemText.split('\n')).toHaveLength(1 + Object.keys(wrong).length)
  for (const name of Object.keys(wrong)) expect(problemText).toContain(`- ${name} `)
  expect(problemText).not.toContain('hunter2')
})

test.each([
  ['KARVON_TIMEZONE', ['+05:00', '-03:00', '+05', 'GMT+5']],
  ['HOST', ['0.0.0.0 ::', 'http://0.0.0.0']],
  ['KARVON_TRUST_PROXY', ['10.0.0', '99999999999', '10.0.0.0/33', '::1/129', '10.0.0.0/8/8', '10.0.0.1/']],
  ['KARVON_OUTBOUND_ALLOW', ['tracker:0', 'tracker:65536']],
  ['KARVON_CORS_ORIGINS', ['https://desk.example.uz:65536']],
  ['KARVON_METRICS_TOKEN', ['hunter2 hunter2', 'ключ', 'hunter2\nhunter2']],
  ['KARVON_ADMIN_PASSWORD', ['hunter2-hunter2\n']],
  ['AWS_REGION', ['us east 1', 'example.uz/']],
  ['PGSSLROOTCERT', [tmpdir(), `/${'x'.repeat(2000)}`]],
] as const)('%s with a value that cannot work is refused by its name', (name, values) => {
  const env = { DATABASE_URL: 'postgres://db/karvon', KARVON_FILES: 's3://karvon-files' }
  for (const value of values) {
    expect(() => readConfig({ ...env, [name]: value }), value).toThrow(`- ${name} `)
    expect(() => readConfig({ ...env, [name]: value })).not.toThrow('hunter2')
    expect(() => readConfig({ ...env, [name]: value })).not.toThrow('x'.repeat(1001))
  }
  expect(readConfig({ KARVON_TRUST_PROXY: '10.0.0.0/8, ::1, fd00::/8 10.0.0.1' }).trustProxy).toHaveLength(4)
})

const live = {
  KARVON_PASSWORD_RESET: 'live',
  KARVON_SMTP_URL: 'smtps://desk:p%40ss@mail.example.uz:465',
  KARVON_MAIL_FROM: 'Karvon Экспресс <desk@example.uz>',
  KARVON_PUBLIC_URL: 'https://desk.example.uz/',
}

test('a live password reset needs a mail server, a sender and a public URL, and names all that are missing', () => {
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
    [
      'mail.example.uz',
      'https://mail.example.uz',
      'smtp://',
      'smtp://hunter2:hunter2@',
      'smtp://h/?x=1',
      'smtp://desk:hunter2%@mail.example.uz',
      'smtp://desk:hunter2%ff@mail.example.uz',
    ],
  ],
  [
    'KARVON_MAIL_FROM',
    ['desk', 'a@b.uz, c@d.uz', 'X <a@b.uz>\r\nBcc: c@d.uz', 'a@b.uz>', '"X" <a@b.uz>', 'X <a b@c.uz>'],
  ],
  [
    'KARVON_PUBLIC_URL',
    ['desk.example.uz', 'javascript:alert(1)', 'https://a.uz/path', 'https://u:p@a.uz', 'https://a.uz#x'],
  ],
] as const)('%s with an invalid value is refused', (name, values) => {
  for (const value of values) {
    expect(() => readConfig({ ...live, [name]: value }), value).toThrow(`${name} must be `)
    expect(() => readConfig({ ...live, [name]: value })).not.toThrow('hunter2')
  }
})
