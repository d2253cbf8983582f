import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'

export interface Document {
  /** The path of a file, or its bytes. */
  content: string | Buffer
  /** The name that the receiver sees. */
  name: string
  caption: string
}

/** Maximum characters of a caption (Bot API, sendDocument). */
export const maxCaption = 1024

/**
 * Builds the form of a document or a photo. Streams the file from disk, and calls `onSent` after the last byte of the file.
 */
export async function buildFileForm(
  chat: string,
  { field, content, name, caption }: Document & { field: 'document' | 'photo' },
  onSent: () => void,
) {
  const boundary = `karvon-${randomUUID()}`
  const part = (field: string, value: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`
  const texts =
    part('chat_id', chat) +
    (caption === '' ? '' : part('caption', caption.slice(0, maxCaption).toWellFormed()))
  const fileName = name.replaceAll(/["\r\n]/g, (sign) => encodeURIComponent(sign))
  const head = Buffer.from(
    `${texts}--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="${fileName}"\r\n` +
      'content-type: application/octet-stream\r\n\r\n',
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  const size = typeof content === 'string' ? (await stat(content)).size : content.length
  async function* body() {
    yield head
    if (typeof content === 'string') yield* createReadStream(content) as AsyncIterable<Buffer>
    else yield content
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
