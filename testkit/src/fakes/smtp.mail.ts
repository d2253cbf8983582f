import type { SMTPServerSession } from 'smtp-server'

export interface ReceivedMail {
  /** Addresses of the envelope. */
  from: string
  to: string[]
  /** The raw headers. */
  headers: string
  /** The decoded text of the first part. */
  text: string
  attachments: { name: string; content: Buffer }[]
}

/** Parses a mail of one part, or of a text with attachments. */
export function readMail(raw: Buffer, { envelope }: SMTPServerSession): ReceivedMail {
  const { headers, body } = splitPart(raw.toString('latin1'))
  const boundary = /boundary="([^"]+)"/i.exec(headers)?.[1]
  const [first = { headers, body }, ...rest] =
    boundary === undefined ? [] : body.split(`--${boundary}`).slice(1, -1).map(splitPart)
  return {
    from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
    to: envelope.rcptTo.map(({ address }) => address),
    headers,
    text: decodeBody(
      first.body,
      /^content-transfer-encoding: *(\S+)/im.exec(first.headers)?.[1]?.toLowerCase(),
    ),
    attachments: rest.map((part) => ({
      name: /filename="?([^"\r\n]+)/i.exec(part.headers)?.[1] ?? '',
      content: Buffer.from(part.body, 'base64'),
    })),
  }
}

function splitPart(part: string): { headers: string; body: string } {
  const text = part.replace(/^\r\n/, '')
  const end = text.indexOf('\r\n\r\n')
  return { headers: text.slice(0, end), body: text.slice(end + 4) }
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
