import { createTransport, type SendMailOptions } from 'nodemailer'
import { traceOutgoingCall } from '../tracing/tracing.calls.ts'
import { MailError, toDeliveryFailure } from './mail.error.ts'

/** A plain-text mail to one person. */
export interface Mail {
  to: string
  subject: string
  text: string
  attachments?: readonly MailAttachment[]
}

export interface MailAttachment {
  name: string
  content: Buffer
}

export interface Mailer {
  /** Sends a mail to the mail server. `signal` aborts it. Throws only {@link MailError}. */
  send(mail: Mail, signal: AbortSignal): Promise<void>
}

/** An address that no mail server can read as several addresses. */
const plainAddress = /^[^\s@<>"(),:;[\]\\\p{Cc}]{1,64}@[^\s@<>"(),:;[\]\\\p{Cc}]{1,253}$/u

/** Milliseconds for each step. The signal of the caller limits the total. */
const mailTimeouts = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  dnsTimeout: 10_000,
  socketTimeout: 20_000,
}

const localHosts: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '::1'])

/**
 * Opens a client of the mail server at `smtpUrl`, with one connection for each mail. smtps:// uses TLS from the start,
 * smtp:// if the server offers it. A password is never sent without TLS, except to this machine.
 */
export function openMailer(smtpUrl: string, from: { name: string; address: string }): Mailer {
  const url = new URL(smtpUrl)
  const isSecure = url.protocol === 'smtps:'
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const user = decodeURIComponent(url.username)
  const transport = createTransport({
    ...mailTimeouts,
    host,
    port: Number(url.port) || (isSecure ? 465 : 587),
    secure: isSecure,
    requireTLS: user !== '' && !localHosts.has(host),
    ...(user !== '' && { auth: { user, pass: decodeURIComponent(url.password) } }),
    disableFileAccess: true,
    disableUrlAccess: true,
    logger: false,
  })
  return {
    async send({ to, subject, text, attachments = [] }, signal) {
      if (!plainAddress.test(to)) {
        throw new MailError({ kind: 'rejected', reason: 'No mail can be written to this address' })
      }
      try {
        const message: SendMailOptions = {
          from,
          to: { name: '', address: to },
          subject,
          text,
          attachments: attachments.map(({ name, content }) => ({ filename: name, content })),
          xMailer: false,
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal,
        }
        await traceOutgoingCall({ name: 'SMTP', host: url.host }, () => transport.sendMail(message))
      } catch (error) {
        throw new MailError(toDeliveryFailure(error, signal.aborted))
      }
    },
  }
}
