import type { Reader } from './config.reader.ts'

/** What an installation switches on beyond the behaviour that is usual, and what that needs. */
export interface Switches {
  registration: 'simulated' | 'live'
  passwordReset: 'simulated' | 'live'
  bulkUsers: 'log' | 'live'
  /** Who cannot work without a second factor. */
  requireSecondFactor: 'off' | 'admins'
  /** Who may read the documentation of the calls. */
  apiDocs: 'people' | 'public'
  /** Where metrics are answered, and for which bearer token; with neither, on the usual port to this machine alone. */
  metrics: { port: number | undefined; token: string | undefined }
  mail: {
    /** smtp:// or smtps://, with user and password where the server wants them: a secret. */
    smtpUrl: string | undefined
    from: { name: string; address: string } | undefined
  }
  /** The account that a process started as root becomes. */
  runAs: string | undefined
  /** host:port of a clamd, or the path of its unix socket: uploads are scanned before anything reads them. */
  clamav: string | undefined
  /** The origin that links in mails start with; never taken from a request. */
  publicUrl: string | undefined
}

const plainAddress = String.raw`[^\s@<>"(),:;[\]\\]+@[^\s@<>"(),:;[\]\\]+`
const fromPattern = new RegExp(`^(?:[^<>"\\p{Cc}]{1,100} <${plainAddress}>|${plainAddress})$`, 'u')

const port = String.raw`(?:[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5])`
const clamdPattern = new RegExp(String.raw`^(?:/[^\p{Cc}]{1,100}|(?:\[[\da-f:]+\]|[\w.-]+):${port})$`, 'iu')

/** Reads the switches; a reset by mail insists on a mail server, a sender and an address of its own. */
export function readSwitches(read: Reader): Switches {
  const passwordReset = read.choice('KARVON_PASSWORD_RESET', ['simulated', 'live'])
  const needed = passwordReset === 'live' ? 'KARVON_PASSWORD_RESET=live' : undefined
  const smtp = 'a mail server, such as smtps://user:password@mail.example.uz:465'
  const sender = 'a sender, such as desk@example.uz or Karvon <desk@example.uz>'
  const origin = 'the address that people open, such as https://desk.example.uz'
  const metricsPort = read.integer('KARVON_METRICS_PORT', 0, 0, 65_535)
  const from = read.matching('KARVON_MAIL_FROM', fromPattern, sender, needed)
  return {
    registration: read.choice('KARVON_REGISTRATION', ['simulated', 'live']),
    passwordReset,
    bulkUsers: read.choice('KARVON_BULK_USERS', ['log', 'live']),
    requireSecondFactor: read.choice('KARVON_REQUIRE_SECOND_FACTOR', ['off', 'admins']),
    apiDocs: read.choice('KARVON_API_DOCS', ['people', 'public']),
    metrics: {
      port: metricsPort === 0 ? undefined : metricsPort,
      token: read.secret('KARVON_METRICS_TOKEN', 256),
    },
    mail: {
      smtpUrl: read.matching(
        'KARVON_SMTP_URL',
        /^smtps?:\/\/(?:[^\s/@?#]+@)?(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?\/?$/i,
        smtp,
        needed,
      ),
      from: from === undefined ? undefined : senderOf(from),
    },
    runAs: read.matching('KARVON_RUN_AS', /^[a-z_][\w.-]{0,31}$/i, 'the name of an account, such as karvon'),
    clamav: read.matching(
      'KARVON_CLAMAV',
      clamdPattern,
      'host:port of a clamd, such as 127.0.0.1:3310, or the path of its unix socket',
    ),
    publicUrl: read
      .matching(
        'KARVON_PUBLIC_URL',
        /^https?:\/\/(?:\[[\da-f:]+\]|[\w.-]+)(?::\d{1,5})?\/?$/i,
        origin,
        needed,
      )
      ?.replace(/\/$/, ''),
  }
}

function senderOf(from: string): { name: string; address: string } {
  const [, name = '', address = from] = /^(.*) <(.*)>$/.exec(from) ?? []
  return { name, address }
}
