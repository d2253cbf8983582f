import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Multipart } from '@fastify/multipart'
import type { FastifyRequest } from 'fastify'
import { connectionEnd, unlessGone } from './connection-end.ts'
import { AppError, invalid } from './errors.ts'
import { maxFormFieldBytes, maxFormFields, maxFormHeaders, maxPublicBodyBytes } from '../limits/limits.ts'
import { formReceived } from './idempotency.serve.ts'
import { refuseMalformed } from './wellformed.ts'

/** A file that came in, on disk under a name of ours. `name` is the sender's, without a path; size in bytes. */
export interface ReceivedFile {
  name: string
  path: string
  size: number
  sha256: string
}

/** `await using` removes the file unless it was moved away. */
export interface Received extends AsyncDisposable {
  file: ReceivedFile
  fields: Record<string, string>
}

interface Receiving {
  /** The data folder; the file lies in `incoming/` below it. */
  folder: string
  maxBytes: number
  /** Names of the text fields to keep; the others are ignored. */
  fields: readonly string[]
}

const limits = { fields: maxFormFields, fieldSize: maxFormFieldBytes, headerPairs: maxFormHeaders }

/**
 * Streams a multipart form's `file` to disk, fields before or after it. Errors: 413 where the file is
 * larger than `maxBytes`, 422 where there is none or more than one, 400 where the form breaks off.
 */
export async function receiveFile(request: FastifyRequest, options: Receiving): Promise<Received> {
  const incoming = join(options.folder, 'incoming')
  await mkdir(incoming, { recursive: true, mode: 0o700 })
  const path = join(incoming, randomUUID())
  const remove = () => rm(path, { force: true })
  const fields: Record<string, string> = {}
  let file: ReceivedFile | undefined
  try {
    for await (const part of partsOf(request, { files: 2, fileSize: options.maxBytes + 1 })) {
      if (part.type === 'field') {
        if (options.fields.includes(part.fieldname))
          fields[part.fieldname] = fieldText(part.fieldname, part.value)
      } else if (file !== undefined) {
        throw invalid([{ field: 'file', message: 'Send one file at a time' }])
      } else if (part.fieldname === 'file' && part.filename) {
        file = {
          name: safeName(part.filename),
          path,
          ...(await write(part.file, path, options.maxBytes, connectionEnd(request))),
        }
      } else {
        part.file.resume()
      }
    }
    if (file === undefined) throw invalid([{ field: 'file', message: 'File is required' }])
  } catch (error) {
    await remove()
    throw broken(error, options.maxBytes)
  }
  try {
    await formReceived(fields, file.sha256)
  } catch (error) {
    await remove()
    throw error
  }
  return { file, fields, [Symbol.asyncDispose]: remove }
}

// No request takes longer; what is older was left by a process that was killed. Milliseconds.
const abandoned = 3_600_000

/** Removes what requests of killed processes left half received. */
export async function sweepIncoming(folder: string): Promise<void> {
  const incoming = join(folder, 'incoming')
  const names = await readdir(incoming).catch(() => [])
  if (names.length === 0) return
  const now = await fileTime(incoming)
  for (const name of names) {
    const path = join(incoming, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now }))
    if (now - mtimeMs > abandoned) await rm(path, { force: true })
  }
}

/** The present by the clock that dates the files of a folder, which may be another machine's. */
async function fileTime(folder: string): Promise<number> {
  const path = join(folder, randomUUID())
  await writeFile(path, '')
  try {
    return (await stat(path)).mtimeMs
  } finally {
    await rm(path, { force: true })
  }
}

/** The text fields of a small multipart form; files in it are left out. Errors: 400, 413. */
export async function formFields(request: FastifyRequest): Promise<Record<string, string>> {
  if (Number(request.headers['content-length'] ?? 0) > maxPublicBodyBytes)
    throw new AppError('too_large', `The form has more than ${maxPublicBodyBytes} bytes.`)
  const fields: Record<string, string> = {}
  try {
    for await (const part of partsOf(request, { files: 1, fileSize: maxFormFieldBytes })) {
      if (part.type === 'field') fields[part.fieldname] = fieldText(part.fieldname, part.value)
      else part.file.resume()
    }
  } catch (error) {
    throw broken(error, maxFormFieldBytes)
  }
  return fields
}

/** The parts of a form. A connection that ends, also before the first part is asked for, ends them with an error. */
async function* partsOf(
  request: FastifyRequest,
  more: { files: number; fileSize: number },
): AsyncGenerator<Multipart> {
  const parts = request.parts({ limits: { ...limits, ...more } })
  for (;;) {
    const next = await unlessGone(request, parts.next())
    if (next.done === true) return
    yield next.value
  }
}

async function write(
  from: Readable,
  path: string,
  maxBytes: number,
  end: AbortSignal,
): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256')
  let size = 0
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      hash.update(chunk)
      done(size > maxBytes ? tooLarge(maxBytes) : null, chunk)
    },
  })
  await pipeline(from, counted, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal: end })
  return { size, sha256: hash.digest('hex') }
}

function fieldText(name: string, value: unknown): string {
  if (typeof value !== 'string') throw invalid([{ field: name, message: `${name} must be text` }])
  refuseMalformed({ [name]: value })
  return value
}

/** The last part of whatever path a browser sent, in any script, without control characters. */
function safeName(name: string): string {
  const last = name.toWellFormed().split(/[/\\]/).at(-1) ?? ''
  const clean = last.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '').trim()
  const extension = /\.[^.]{1,10}$/.exec(clean)?.[0] ?? ''
  const stem = clean.slice(0, clean.length - extension.length).slice(0, 200 - extension.length)
  return `${stem.toWellFormed()}${extension}` || 'file'
}

const tooLarge = (maxBytes: number) =>
  new AppError('too_large', `The file is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB.`)

function broken(error: unknown, maxBytes: number): unknown {
  if (error instanceof AppError) return error
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  if (code === 'FST_REQ_FILE_TOO_LARGE') return tooLarge(maxBytes)
  if (statusCode === 413) return new AppError('too_large', 'The form has too many or too large parts.')
  // The disk's own failures have a system call; all else is the form's.
  if ((error as NodeJS.ErrnoException).syscall !== undefined) return error
  return new AppError('malformed', 'The form could not be read to its end.')
}
