import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Reader, ConfigError, type Environment } from './config.reader.ts'
import { readSwitches, type Switches } from './config.switches.ts'

/** The installation's settings. Times in seconds or as named, sizes in bytes. */
export interface Config extends Switches {
  port: number
  host: string
  /** Undefined: the built-in PostgreSQL in `dataFolder`. */
  databaseUrl: string | undefined
  /** Absolute. */
  dataFolder: string
  /** Absolute; where the built web lies. */
  webFolder: string
  /** IANA name. */
  timeZone: string
  currency: string
  /** Whether a new database is filled with the demo; never true with DATABASE_URL. */
  demo: boolean
  /** host:port of networks to practise on, beside which the demo moves by itself. */
  demoNetworks: string | undefined
  adminUsername: string
  adminPassword: string | undefined
  /**
   * 32 bytes. Undefined: main.ts takes the key that lies in the data folder, making it on the first start;
   * with DATABASE_URL too, but then it warns, since every process on that database needs the same key.
   */
  secretKey: Buffer | undefined
  /** Keys that were used before `secretKey`: they open what they sealed. */
  oldSecretKeys: Buffer[]
  telegram: {
    token: string | undefined
    chat: string | undefined
    root: string
    /** How often a chat is sent something, as Telegram allows it: no environment sets it. Null: without any limit. */
    rate: { interval: number; perMinute: number } | null
    /** Milliseconds for an answer of the Bot API, the transfer of a file apart. */
    answerWithin: number
  }
  /** `host:port` pairs that outgoing calls may reach although they are private. */
  outboundAllow: string[]
  process: 'all' | 'web' | 'worker'
  uploadMaxBytes: number
  quotas: Quotas
  /** Days that the file of an upload is kept once it was sent or refused; 0 is for ever. */
  uploadsKeptDays: number
  /** How slow whoever calls may be: no environment sets it. Undefined: as the limits say. */
  clients: ClientPatience | undefined
  session: { idleDays: number; absoluteDays: number }
  /** Proxies whose X-Forwarded-For is believed; none by default. */
  trustProxy: string[]
  /** Origins of webs that stand on other hosts and may call this one; none by default. */
  corsOrigins: string[]
  logLevel: string
}

/** At least so many bytes in every so many milliseconds. */
export interface Pace {
  within: number
  bytes: number
}

/** How slow a client may be; milliseconds. `every` is how often that is looked at. */
export interface ClientPatience {
  every: number
  headers: number
  request: number
  body: Pace
  reading: Pace
}

/** What one person who is no admin may store; 0 is no bound. */
export interface Quotas {
  uploads: number
  uploadBytes: number
  /** Parcels that come from order files. */
  parcels: number
}

export { ConfigError }

const builtWeb = fileURLToPath(new URL('../../web/dist', import.meta.url))
const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Parses the environment once. Throws one {@link ConfigError} that lists every problem with its remedy. */
export function readConfig(env: Environment): Config {
  const read = new Reader(env)
  const databaseUrl = read.databaseUrl('DATABASE_URL')
  const demo = read.choice('KARVON_DEMO', ['on', 'off'])
  const config: Config = {
    port: read.integer('PORT', 8080, 0, 65_535),
    host: read.text('HOST') ?? '127.0.0.1',
    databaseUrl,
    dataFolder: resolve(read.text('KARVON_DATA') ?? 'data'),
    webFolder: builtWeb,
    timeZone: read.timeZone('KARVON_TIMEZONE', 'Asia/Tashkent'),
    currency: read.matching('KARVON_CURRENCY', /^[A-Z]{3}$/, 'three capital letters, such as UZS') ?? 'UZS',
    demo: databaseUrl === undefined && demo === 'on',
    demoNetworks: read.matching(
      'KARVON_DEMO_NETWORKS',
      /^127\.0\.0\.1:\d{1,5}$/,
      'an address on this machine, such as 127.0.0.1:9000',
    ),
    adminUsername: read.text('KARVON_ADMIN_USERNAME', 100) ?? 'admin',
    adminPassword: read.secret('KARVON_ADMIN_PASSWORD', 256),
    secretKey: read.key('KARVON_SECRET_KEY'),
    oldSecretKeys: read.keys('KARVON_SECRET_KEY_OLD'),
    telegram: {
      token: read.matching(
        'KARVON_TELEGRAM_TOKEN',
        /^[\w:-]+$/,
        'the token that BotFather gave, such as 123456:ABC-def',
      ),
      chat: read.matching(
        'KARVON_TELEGRAM_CHAT',
        /^(-?\d+|@\w+)$/,
        'a chat id such as -1001234567890, or @channel',
      ),
      root: read.httpAddress('KARVON_TELEGRAM_ROOT') ?? 'https://api.telegram.org',
      rate: { interval: 1000, perMinute: 20 },
      answerWithin: 15_000,
    },
    outboundAllow: read.list(
      'KARVON_OUTBOUND_ALLOW',
      /^(\[[\da-f:]+\]|[\w.-]+):\d{1,5}$/i,
      'host:port pairs, such as 10.0.0.5:8443',
    ),
    process: read.choice('KARVON_PROCESS', ['all', 'web', 'worker']),
    uploadMaxBytes: read.integer('KARVON_UPLOAD_MAX_MB', 20, 1, 50) * 1024 * 1024,
    quotas: {
      uploads: read.integer('KARVON_PERSON_UPLOADS', 10_000, 0, 100_000_000),
      uploadBytes: read.integer('KARVON_PERSON_UPLOADS_MB', 2048, 0, 100_000_000) * 1024 * 1024,
      parcels: read.integer('KARVON_PERSON_PARCELS', 2_000_000, 0, 999_999_999),
    },
    uploadsKeptDays: read.integer('KARVON_UPLOADS_KEPT_DAYS', 365, 0, 36_500),
    clients: undefined,
    session: {
      idleDays: read.integer('KARVON_SESSION_IDLE_DAYS', 7, 1, 365),
      absoluteDays: read.integer('KARVON_SESSION_DAYS', 30, 1, 365),
    },
    trustProxy: read.list(
      'KARVON_TRUST_PROXY',
      /^[\da-f.:]+(\/\d{1,3})?$/i,
      'addresses or networks, such as 10.0.0.0/8',
    ),
    corsOrigins: read.list(
      'KARVON_CORS_ORIGINS',
      /^https?:\/\/(\[[\da-f:]+\]|[\w.-]+)(:\d{1,5})?$/,
      'origins, such as https://desk.example.uz',
    ),
    logLevel: read.choice('KARVON_LOG', ['info', ...levels]),
    ...readSwitches(read),
  }
  read.finish()
  return config
}
