import { isPercentEncoded, portPattern, type EnvironmentReader } from './config.reader.ts'

/** Optional features of an installation and their settings. */
export interface OptionalFeatures {
  registration: 'simulated' | 'live'
  passwordReset: 'simulated' | 'live'
  bulkUsers: 'log' | 'live'
  /** Who must use a second factor. */
  requireSecondFactor: 'off' | 'admins'
  /** Who may read the API documentation. */
  apiDocs: 'people' | 'public'
  /** Port and bearer token of the metrics. Without both: on the main port, only for this machine. */
  metrics: { port: number | undefined; token: string | undefined }
  mail: {
    /** smtp:// or smtps://, with user and password if the server needs them. A secret. */
    smtpUrl: string | undefined
    from: { name: string; address: string } | undefined
  }
  /** The account to which a process switches when it starts as root. */
  runAs: string | undefined
  /** host:port of a clamd, or the path of its unix socket. Uploads are scanned before they are read. */
  clamav: string | undefined
  /** The origin of links in mails. It is never taken from a request. */
  publicUrl: string | undefined
}

const plainAddress = String.raw`[^\s@<>"(),:;[\]\\]+@[^\s@<>"(),:;[\]\\]+`
const fromPattern = new RegExp(`^(?:[^<>"\\p{Cc}]{1,100} <${plainAddress}>|${plainAddress})$`, 'u')

const smtpPattern = new RegExp(
  String.raw`^smtps?://(?:[^\s/@?#]+@)?(?:\[[\da-f:.]+\]|[\w.-]+)(?::${portPattern})?/?$`,
  'i',
)
const isSmtpUrl = (text: string) => smtpPattern.test(text) && isPercentEncoded(text)

const publicUrlPattern = new RegExp(
  String.raw`^https?://(?:\[[\da-f:]+\]|[\w.-]+)(?::${portPattern})?/?$`,
  'i',
)
const clamdPattern = new RegExp(
  String.raw`^(?:/[^\p{Cc}]{1,100}|(?:\[[\da-f:]+\]|[\w.-]+):${portPattern})$`,
  'iu',
)

/** Reads the optional features. A password reset by mail needs a mail server, a sender and a public URL. */
export function readOptionalFeatures(reader: EnvironmentReader): OptionalFeatures {
  const passwordReset = reader.readChoice('KARVON_PASSWORD_RESET', ['simulated', 'live'])
  const neededFor = passwordReset === 'live' ? 'KARVON_PASSWORD_RESET=live' : undefined
  const smtp = 'a mail server, such as smtps://user:password@mail.example.uz:465, with %25 for each %'
  const sender = 'a sender, such as desk@example.uz or Karvon <desk@example.uz>'
  const origin = 'the address that people open, such as https://desk.example.uz'
  const metricsPort = reader.readInteger('KARVON_METRICS_PORT', { defaultValue: 0, min: 0, max: 65_535 })
  const from = reader.readMatching('KARVON_MAIL_FROM', {
    pattern: fromPattern,
    description: sender,
    neededFor,
  })
  return {
    registration: reader.readChoice('KARVON_REGISTRATION', ['simulated', 'live']),
    passwordReset,
    bulkUsers: reader.readChoice('KARVON_BULK_USERS', ['log', 'live']),
    requireSecondFactor: reader.readChoice('KARVON_REQUIRE_SECOND_FACTOR', ['off', 'admins']),
    apiDocs: reader.readChoice('KARVON_API_DOCS', ['people', 'public']),
    metrics: {
      port: metricsPort === 0 ? undefined : metricsPort,
      token: reader.readMatching('KARVON_METRICS_TOKEN', {
        pattern: /^[!-~]{1,256}$/,
        description: 'at most 256 letters of the Latin alphabet, digits and signs, without spaces',
      }),
    },
    mail: {
      smtpUrl: reader.readMatching('KARVON_SMTP_URL', {
        pattern: { test: isSmtpUrl },
        description: smtp,
        neededFor,
      }),
      from: from === undefined ? undefined : parseSender(from),
    },
    runAs: reader.readMatching('KARVON_RUN_AS', {
      pattern: /^[a-z_][\w.-]{0,31}$/i,
      description: 'the name of an account, such as karvon',
    }),
    clamav: reader.readMatching('KARVON_CLAMAV', {
      pattern: clamdPattern,
      description: 'host:port of a clamd, such as 127.0.0.1:3310, or the path of its unix socket',
    }),
    publicUrl: reader
      .readMatching('KARVON_PUBLIC_URL', {
        pattern: publicUrlPattern,
        description: origin,
        neededFor,
      })
      ?.replace(/\/$/, ''),
  }
}

function parseSender(from: string): { name: string; address: string } {
  const [, name = '', address = from] = /^(.*) <(.*)>$/.exec(from) ?? []
  return { name, address }
}
