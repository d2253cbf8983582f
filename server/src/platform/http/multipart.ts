import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import type { FastifyRequest } from 'fastify'
import { getConnectionEndSignal } from './connection-end.ts'
import { groupFields } from './form-fields.ts'
import { AppError, invalid } from './errors.ts'
import { refuseEndedSession } from './guard.ts'
import { openIncomingFile } from '../files/incoming-files.ts'
import { maxBodyBytes, maxFormFieldBytes, maxPublicBodyBytes } from '../limits/limits.ts'
import { checkRepeatedForm } from './idempotency.serve.ts'
import { readParts } from './multipart.parts.ts'
import { refuseMalformed } from './wellformed.ts'

/** A received file on disk, under a generated name. `name` is the sender's name without a path; `size` is in bytes. */
export interface ReceivedFile {
  name: string
  path: string
  size: number
  sha256: string
}

/** `await using` removes the file, unless it was moved. */
export interface ReceivedForm extends AsyncDisposable {
  file: ReceivedFile
  fields: Record<string, string>
}

interface ReceiveOptions {
  /** The data folder; the file is written to `incoming/` below it. */
  folder: string
  maxBytes: number
  /** Names of the text fields to keep; others are ignored. */
  fields: readonly string[]
}

/** Bytes of a form beside its file. */
const maxFormBytes = maxBodyBytes

/**
 * Streams the field `file` of a multipart form to disk. Text fields may come before or after it. Errors: 401 if the session
 * ended meanwhile, 413 when the file is larger than `maxBytes`, 422 when there is no file or more than one, 400 when the form is incomplete.
 */
export async function receiveFile(request: FastifyRequest, options: ReceiveOptions): Promise<ReceivedForm> {
  const incomingFile = await openIncomingFile(options.folder)
  const { path } = incomingFile
  const remove = () => incomingFile[Symbol.asyncDispose]()
  const fields: Record<string, string> = {}
  let file: ReceivedFile | undefined
  try {
    for await (const part of readParts(request, {
      files: 2,
      fileSize: options.maxBytes + 1,
      maxBytes: options.maxBytes + maxFormBytes,
      createSizeError: () => createTooLargeError(options.maxBytes),
    })) {
      if (part.type === 'field') {
        if (options.fields.includes(part.fieldname))
          fields[part.fieldname] = readFieldText(part.fieldname, part.value)
      } else if (file !== undefined) {
        throw invalid([fieldError('file', 'one_file')])
      } else if (part.fieldname === 'file' && part.filename) {
        file = {
          name: cleanFileName(part.filename),
          path,
          ...(await writeFileWithHash(part.file, {
            path,
            maxBytes: options.maxBytes,
            end: getConnectionEndSignal(request),
          })),
        }
      } else {
        part.file.resume()
      }
    }
    if (file === undefined) throw invalid([fieldError('file', 'required', { label: 'File' })])
  } catch (error) {
    await remove()
    throw toFormError(error, options.maxBytes)
  }
  try {
    await refuseEndedSession(request)
    await checkRepeatedForm(fields, file.sha256)
  } catch (error) {
    await remove()
    throw error
  }
  return { file, fields, [Symbol.asyncDispose]: remove }
}

/** Reads the text fields of a small multipart form and ignores its files. Errors: 400, 413. */
export async function readFormFields(request: FastifyRequest): Promise<Record<string, string | string[]>> {
  const createSizeError = () => new AppError('form_too_large', { max: maxPublicBodyBytes })
  if (Number(request.headers['content-length'] ?? 0) > maxPublicBodyBytes) throw createSizeError()
  const fields: [name: string, value: string][] = []
  try {
    const limits = { files: 1, fileSize: maxFormFieldBytes, maxBytes: maxPublicBodyBytes, createSizeError }
    for await (const part of readParts(request, limits)) {
      if (part.type === 'field') fields.push([part.fieldname, readFieldText(part.fieldname, part.value)])
      else part.file.resume()
    }
  } catch (error) {
    throw toFormError(error, maxFormFieldBytes)
  }
  return Object.fromEntries(groupFields(fields))
}

async function writeFileWithHash(
  from: Readable,
  { path, maxBytes, end }: { path: string; maxBytes: number; end: AbortSignal },
): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256')
  let size = 0
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      hash.update(chunk)
      done(size > maxBytes ? createTooLargeError(maxBytes) : null, chunk)
    },
  })
  await pipeline(from, counter, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal: end })
  return { size, sha256: hash.digest('hex') }
}

function readFieldText(name: string, value: unknown): string {
  if (typeof value !== 'string') throw invalid([fieldError(name, 'must_be_text', { label: name })])
  refuseMalformed({ [name]: value })
  return value
}

/**
 * The last segment of the path that a browser sent, without control characters. A browser sends quotes as `%22`, and line
 * ends as `%0D` and `%0A`. macOS sends `й` as two characters, which no keyboard types into a search.
 */
function cleanFileName(name: string): string {
  const unescaped = name.replaceAll(/%(?:22|0D|0A)/g, (code) => decodeURIComponent(code))
  const last = unescaped.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  const clean = last.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '').trim()
  const extension = /\.[^.]{1,10}$/.exec(clean)?.[0] ?? ''
  const stem = clean.slice(0, clean.length - extension.length).slice(0, 200 - extension.length)
  return `${stem.toWellFormed()}${extension}` || 'file'
}

const createTooLargeError = (maxBytes: number) =>
  new AppError('file_too_large', { megabytes: Math.floor(maxBytes / 1024 / 1024) })

function toFormError(error: unknown, maxBytes: number): unknown {
  if (error instanceof AppError) return error
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  if (code === 'FST_REQ_FILE_TOO_LARGE') return createTooLargeError(maxBytes)
  if (statusCode === 413) return new AppError('form_parts_too_large')
  // Errors of the disk have a system call. All others are errors of the form.
  if ((error as NodeJS.ErrnoException).syscall !== undefined) return error
  return new AppError('form_incomplete')
}
