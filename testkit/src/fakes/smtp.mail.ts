import type { SMTPServerSession } from 'smtp-server'

export interface ReceivedMail {
  /** Addresses of the envelope. */
  from: string
  to: string[]
  /** The raw headers. */
  headers: string
  /** The decoded text of the only part. */
  text: string
}

/** Parses a mail of one part. */
export function readMail(raw: Buffer, { envelope }: SMTPServerSession): ReceivedMail {
  const message = raw.toString('latin1')
  const end = message.indexOf('\r\n\r\n')
  const headers = message.slice(0, end)
  const body = message.slice(end + 4)
  return {
    from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
    to: envelope.rcptTo.map(({ address }) => address),
    headers,
    text: decodeBody(body, /^content-transfer-encoding: *(\S+)/im.exec(headers)?.[1]?.toLowerCase()),
  }
}

function decodeBody(body: string, encoding: string | undefined): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  const bytes = encoding === 'quoted-printable' ? decodeQuotedPrintable(body) : body
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

const decodeQuotedPrintable = (body: string) =>
  body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
