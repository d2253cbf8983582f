import { createTransport } from 'nodemailer'
import { MailError, failureOf } from './mail.error.ts'

/** One mail to one person, in plain text: nothing in it is ever markup. */
export interface Mail {
  to: string
  subject: string
  text: string
}

export interface Mailer {
  /** Hands a mail to the mail server, until `signal` aborts. Throws {@link MailError} alone. */
  send(mail: Mail, signal: AbortSignal): Promise<void>
}

/** An address without anything that a mail server or a header could read as more than one. */
const plainAddress = /^[^\s@<>"(),:;[\]\\\p{Cc}]{1,64}@[^\s@<>"(),:;[\]\\\p{Cc}]{1,253}$/u

/** Milliseconds for each step; the caller's signal bounds the whole. */
const patience = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  dnsTimeout: 10_000,
  socketTimeout: 20_000,
}

const thisMachine: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1'])

/**
 * The mail server at `smtpUrl`, one connection a mail. smtps:// speaks TLS from the start, smtp:// once the server
 * offers it; a password never travels without TLS but to this machine.
 */
export function openMailer(smtpUrl: string, from: { name: string; address: string }): Mailer {
  const url = new URL(smtpUrl)
  const secure = url.protocol === 'smtps:'
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const user = decodeURIComponent(url.username)
  const transport = createTransport({
    ...patience,
    host,
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    requireTLS: user !== '' && !thisMachine.has(host),
    ...(user !== '' && { auth: { user, pass: decodeURIComponent(url.password) } }),
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
  })
  return {
    async send({ to, subject, text }, signal) {
      if (!plainAddress.test(to)) {
        throw new MailError({ kind: 'rejected', reason: 'No mail can be written to this address' })
      }
      try {
        await transport.sendMail({
          from,
          to: { name: '', address: to },
          subject,
          text,
          xMailer: false,
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal,
        })
      } catch (error) {
        throw new MailError(failureOf(error, signal.aborted))
      }
    },
  }
}
