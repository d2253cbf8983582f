import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ConfigError, EnvironmentReader, portPattern, type Environment } from './config.reader.ts'
import { passwordCost, type PasswordCost } from './config.passwords.ts'
import { readClientSettings, type ClientSettings } from './config.clients.ts'
import { readDatabaseSettings, type DatabaseSettings } from './config.database.ts'
import { headerSettings, readTracingSettings, type TracingSettings } from './config.tracing.ts'
import { readFilesFolder, readS3Settings, type S3Settings } from './config.s3.ts'
import { readOptionalFeatures, type OptionalFeatures } from './config.features.ts'
import { readTelegramSettings, type TelegramSettings } from './config.telegram.ts'
import { readUploadSettings, type UploadSettings } from './config.uploads.ts'

/** The installation's settings. Times in seconds or as named, sizes in bytes. */
export interface Config extends OptionalFeatures, DatabaseSettings, UploadSettings, ClientSettings {
  port: number
  host: string
  /** Absolute. */
  dataFolder: string
  /** The bucket of uploaded files. Undefined: they are in a folder. */
  s3: S3Settings | undefined
  /** Absolute; the folder of uploaded files. Undefined: the data folder. */
  filesFolder: string | undefined
  /** Absolute; the folder of the built web app. */
  webFolder: string
  /** IANA name. */
  timeZone: string
  currency: string
  /** Whether a new database gets demo data; never true with DATABASE_URL. */
  demo: boolean
  /** host:port of the fake networks with which the demo data changes by itself. */
  demoNetworks: string | undefined
  adminUsername: string
  adminPassword: string | undefined
  /**
   * 32 bytes. Undefined: main.ts uses the key in the data folder and creates it at the first start. With
   * DATABASE_URL it also warns, because all processes of that database need the same key.
   */
  secretKey: Buffer | undefined
  /** Keys that were used before `secretKey`. They only decrypt. */
  oldSecretKeys: Buffer[]
  telegram: TelegramSettings
  /** `host:port` pairs of private addresses that outgoing calls may reach. */
  outboundAllow: string[]
  process: 'all' | 'web' | 'worker'
  /** Seconds between the signal to stop and the end of service. */
  drainSeconds: number
  /** No variable sets it, so that nobody can lower it. */
  passwordCost: PasswordCost
  session: { idleDays: number; absoluteDays: number }
  logLevel: string
  /** Whether each answered request is logged. */
  accessLog: boolean
  /** Milliseconds from which a statement is logged; 0: never. */
  slowStatementMs: number
  tracing: TracingSettings | undefined
  /** Names of the environment that begin like a setting of Karvon and are none, such as mistyped ones. */
  unknownSettings: string[]
}

export { ConfigError }

const builtWebFolder = fileURLToPath(new URL('../../web/dist', import.meta.url))
const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/**
 * Each of these settings may come from a file: `DATABASE_URL_FILE` has the path of the file with
 * `DATABASE_URL`.
 */
const secretSettings = [
  'DATABASE_URL',
  'KARVON_DATABASE_DIRECT_URL',
  'KARVON_DATABASE_READ_URL',
  'KARVON_ADMIN_PASSWORD',
  'KARVON_SECRET_KEY',
  'KARVON_SECRET_KEY_OLD',
  'KARVON_TELEGRAM_TOKEN',
  'KARVON_SMTP_URL',
  'KARVON_METRICS_TOKEN',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  ...headerSettings,
] as const

/** Parses the environment once. Throws one {@link ConfigError} that lists every problem with its remedy. */
export function readConfig(env: Environment): Config {
  const reader = new EnvironmentReader(env, secretSettings)
  const database = readDatabaseSettings(reader)
  const demo = reader.readChoice('KARVON_DEMO', ['on', 'off'])
  const processKind = reader.readChoice('KARVON_PROCESS', ['all', 'web', 'worker'])
  if (!reader.isSet('DATABASE_URL')) refuseEmbeddedDatabase(reader, env, processKind)
  const config: Config = {
    port: reader.readInteger('PORT', { defaultValue: 8080, min: 0, max: 65_535 }),
    host:
      reader.readMatching('HOST', {
        pattern: /^[\w.:%-]{1,255}$/,
        description: 'an address of this machine, such as 127.0.0.1 or 0.0.0.0',
      }) ?? '127.0.0.1',
    ...database,
    dataFolder: resolve(reader.readText('KARVON_DATA') ?? 'data'),
    s3: readS3Settings(reader),
    filesFolder: readFilesFolder(reader),
    webFolder: builtWebFolder,
    timeZone: reader.readTimeZone('KARVON_TIMEZONE', 'Asia/Tashkent'),
    currency: reader.readCurrency('KARVON_CURRENCY') ?? 'UZS',
    demo: database.databaseUrl === undefined && demo === 'on',
    demoNetworks: reader.readMatching('KARVON_DEMO_NETWORKS', {
      pattern: new RegExp(String.raw`^127\.0\.0\.1:${portPattern}$`),
      description: 'an address on this machine, such as 127.0.0.1:9000',
    }),
    adminUsername: reader.readText('KARVON_ADMIN_USERNAME', 100) ?? 'admin',
    adminPassword: reader.readSecret('KARVON_ADMIN_PASSWORD', 256),
    secretKey: reader.readKey('KARVON_SECRET_KEY'),
    oldSecretKeys: reader.readKeys('KARVON_SECRET_KEY_OLD'),
    telegram: readTelegramSettings(reader),
    outboundAllow: reader.readList(
      'KARVON_OUTBOUND_ALLOW',
      new RegExp(String.raw`^(\[[\da-f:]+\]|[\w.-]+):${portPattern}$`, 'i'),
      'host:port pairs, such as 10.0.0.5:8443',
    ),
    process: processKind,
    drainSeconds: reader.readInteger('KARVON_DRAIN_SECONDS', {
      defaultValue: processKind === 'web' ? 5 : 0,
      min: 0,
      max: 300,
    }),
    ...readUploadSettings(reader),
    passwordCost,
    session: {
      idleDays: reader.readInteger('KARVON_SESSION_IDLE_DAYS', { defaultValue: 7, min: 1, max: 365 }),
      absoluteDays: reader.readInteger('KARVON_SESSION_DAYS', { defaultValue: 30, min: 1, max: 365 }),
    },
    ...readClientSettings(reader),
    logLevel: reader.readChoice('KARVON_LOG', ['info', ...levels]),
    accessLog: reader.readChoice('KARVON_ACCESS_LOG', ['off', 'on']) === 'on',
    slowStatementMs: reader.readInteger('KARVON_SLOW_STATEMENT_MS', {
      defaultValue: 0,
      min: 0,
      max: 600_000,
    }),
    tracing: readTracingSettings(reader),
    ...readOptionalFeatures(reader),
    unknownSettings: [],
  }
  config.unknownSettings = reader.findUnknownNames('KARVON_')
  if (config.port !== 0 && config.port === config.metrics.port)
    reader.addProblem(`PORT and KARVON_METRICS_PORT are both ${config.port}: choose another one.`)
  reader.throwProblems()
  return config
}

/** A forgotten DATABASE_URL must not start an empty database beside the real one. */
function refuseEmbeddedDatabase(
  reader: EnvironmentReader,
  env: Environment,
  processKind: Config['process'],
): void {
  const remedy = 'set DATABASE_URL or DATABASE_URL_FILE'
  if (processKind !== 'all')
    reader.addProblem(`KARVON_PROCESS=${processKind} needs a database that processes share: ${remedy}.`)
  else if (env['NODE_ENV'] === 'production')
    reader.addProblem(
      `NODE_ENV=production needs a database of your own: ${remedy}, or unset NODE_ENV for the embedded database.`,
    )
}
