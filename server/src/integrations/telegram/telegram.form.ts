import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'

export interface Document {
  path: string
  /** The name that the receiver sees. */
  name: string
  caption: string
}

/** Maximum characters of a caption (Bot API, sendDocument). */
export const maxCaption = 1024

/** Builds the form of a document. Streams the file from disk, and calls `onSent` after the last byte of the file. */
export async function buildDocumentForm(chat: string, { path, name, caption }: Document, onSent: () => void) {
  const boundary = `karvon-${randomUUID()}`
  const part = (field: string, value: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`
  const texts =
    part('chat_id', chat) +
    (caption === '' ? '' : part('caption', caption.slice(0, maxCaption).toWellFormed()))
  const fileName = name.replaceAll(/["\r\n]/g, (sign) => encodeURIComponent(sign))
  const head = Buffer.from(
    `${texts}--${boundary}\r\ncontent-disposition: form-data; name="document"; filename="${fileName}"\r\n` +
      'content-type: application/octet-stream\r\n\r\n',
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  const { size } = await stat(path)
  async function* body() {
    yield head
    yield* createReadStream(path) as AsyncIterable<Buffer>
    onSent()
    yield tail
  }
  return {
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'content-length': String(head.length + size + tail.length),
    },
    body: Readable.from(body(), { objectMode: false }),
  }
}
