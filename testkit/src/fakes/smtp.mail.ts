import type { SMTPServerSession } from 'smtp-server'

export interface ReceivedMail {
  /** Whom the envelope names. */
  from: string
  to: string[]
  /** The lines above the text, as they came. */
  headers: string
  /** Of one part, as a person reads it. */
  text: string
}

/** A mail of one part, as it came over the wire. */
export function readMail(raw: Buffer, { envelope }: SMTPServerSession): ReceivedMail {
  const whole = raw.toString('latin1')
  const end = whole.indexOf('\r\n\r\n')
  const headers = whole.slice(0, end)
  const body = whole.slice(end + 4)
  return {
    from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
    to: envelope.rcptTo.map(({ address }) => address),
    headers,
    text: decoded(body, /^content-transfer-encoding: *(\S+)/im.exec(headers)?.[1]?.toLowerCase()),
  }
}

function decoded(body: string, encoding: string | undefined): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  const bytes = encoding === 'quoted-printable' ? unquoted(body) : body
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

const unquoted = (body: string) =>
  body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
