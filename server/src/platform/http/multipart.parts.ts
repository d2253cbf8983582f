import { Transform, type TransformCallback } from 'node:stream'
import type { Multipart } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { waitUnlessDisconnected } from './connection-end.ts'
import { AppError } from './errors.ts'
import { maxFormFieldBytes, maxFormFields, maxFormHeaders } from '../limits/limits.ts'

/** `fileSize` and `maxBytes` are in bytes, `maxBytes` of the whole form. A larger form gives the error of `createSizeError`. */
export interface PartLimits {
  files: number
  fileSize: number
  maxBytes: number
  createSizeError: () => AppError
}

const boundaryParameter = /;\s*boundary=(?:"([ !#-[\]-~]{1,200})"|([!#-:<-[\]-~]{1,200}))\s*(?:;|$)/i

/**
 * Reads the parts of a multipart form. What follows the last part that the caller takes is received and not parsed. Errors:
 * 400 without a boundary and when the connection closes, 413 above the limits.
 */
export async function* readParts(
  request: FastifyRequest,
  { files, fileSize, maxBytes, createSizeError }: PartLimits,
): AsyncGenerator<Multipart> {
  const { raw } = request
  const [, text, token] = boundaryParameter.exec(raw.headers['content-type'] ?? '') ?? []
  const boundary = text ?? token
  if (boundary === undefined) throw new AppError('form_incomplete')
  const maxParts = maxFormFields + files
  const body = Object.assign(new BoundedForm({ boundary, maxParts, maxBytes, createSizeError }), {
    headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
  })
  const onClose = () => {
    if (!raw.readableEnded) body.destroy()
  }
  raw.once('close', onClose).pipe(body)
  const limits = {
    parts: maxParts,
    files,
    fileSize,
    fields: maxFormFields,
    fieldSize: maxFormFieldBytes,
    headerPairs: maxFormHeaders,
  }
  try {
    const form = Object.create(request, { raw: { value: body } }) as FastifyRequest
    const parts = form.parts({ limits })
    for (;;) {
      const next = await waitUnlessDisconnected(request, parts.next())
      if (next.done === true) return
      yield next.value
    }
  } finally {
    raw.off('close', onClose).unpipe(body).resume()
    body.on('error', () => {}).destroy()
  }
}

interface FormBounds extends Pick<PartLimits, 'maxBytes' | 'createSizeError'> {
  boundary: string
  maxParts: number
}

/**
 * Passes a form on to its parser. The parser needs about 20 µs for each part, also for those that it ignores. So a chunk of many empty
 * parts would block the process; it is refused before it is parsed. Errors: 413.
 */
class BoundedForm extends Transform {
  readonly #delimiter: Buffer
  readonly #bounds: FormBounds
  #parts = 0
  #bytes = 0

  constructor(bounds: FormBounds) {
    super()
    this.#bounds = bounds
    this.#delimiter = Buffer.from(`\r\n--${bounds.boundary}`, 'latin1')
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const { maxBytes, maxParts, createSizeError } = this.#bounds
    this.#bytes += chunk.length
    if (this.#bytes > maxBytes) return done(createSizeError())
    // The parser itself counts a delimiter that two chunks share.
    for (
      let at = chunk.indexOf(this.#delimiter);
      at !== -1;
      at = chunk.indexOf(this.#delimiter, at + this.#delimiter.length)
    ) {
      this.#parts += 1
      if (this.#parts > maxParts) return done(new AppError('form_parts_too_large'))
    }
    done(null, chunk)
  }
}
