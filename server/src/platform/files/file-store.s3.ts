import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { GetObjectCommandOutput, S3Client } from '@aws-sdk/client-s3'
import type { S3Settings } from '../../config.s3.ts'
import { AppError } from '../http/errors.ts'
import { traceOutgoingCall } from '../tracing/tracing.calls.ts'
import type { FileStore } from './file-store.ts'
import { openIncomingFile } from './incoming-files.ts'
import { requireSha256 } from './sha256.ts'

/** Milliseconds. A request fails when nothing is transferred for `idle`. */
const timeouts = { connect: 2000, idle: 5000 }
/** Milliseconds for a whole file. During an upload a transaction waits for the bucket. */
const fileTimeout = 30_000
/** Attempts of a request, which is repeated after a network failure or an answer 5xx. */
const maxAttempts = 2
/** A mark is a UUID. */
const maxMarkBytes = 100

/**
 * Opens a store in a bucket. The keys are `files/` and the SHA-256. Its methods throw `file_store_unavailable` while
 * the bucket does not answer or refuses the credentials.
 */
export function openS3Store(settings: S3Settings, dataFolder: string): FileStore {
  const { bucket: Bucket, prefix } = settings
  const getKey = (sha256: string) => `${prefix}files/${requireSha256(sha256)}`
  const markKey = `${prefix}data-folder`
  // The SDK is loaded on the first use: few installations have a bucket.
  let openedClient: Promise<Client> | undefined
  const call = async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
    openedClient ??= openClient(settings)
    try {
      return await work(await openedClient)
    } catch (error) {
      if (error instanceof AppError) throw error
      throw new AppError('file_store_unavailable', {}, { retryAfter: 5, cause: error })
    }
  }
  const get = (Key: string) =>
    call(async ({ s3, sdk }) => {
      const object = await ignoreMissing(s3.send(new sdk.GetObjectCommand({ Bucket, Key })))
      return object?.Body === undefined ? null : readAnswer(object)
    })
  let mark: string | null = null
  return {
    describe: (sha256) => `s3://${Bucket}/${getKey(sha256)}`,
    store: (path, sha256) =>
      call(async ({ s3, sdk }) => {
        const { size } = await stat(path)
        const body = {
          Bucket,
          Key: getKey(sha256),
          ContentLength: size,
          // The bucket verifies the content by it.
          ChecksumSHA256: Buffer.from(sha256, 'hex').toString('base64'),
        }
        const abortSignal = AbortSignal.timeout(fileTimeout)
        const answer = await retry(() =>
          s3.send(new sdk.PutObjectCommand({ ...body, Body: createReadStream(path) }), { abortSignal }),
        )
        // Every S3 store answers with an ETag. Without one, the answer is from another server.
        if (answer.ETag === undefined) throw new Error('The bucket did not confirm the file')
        return path
      }),
    async withPath(sha256, work) {
      await using file = await openIncomingFile(dataFolder)
      const content = await get(getKey(sha256))
      const signal = AbortSignal.timeout(fileTimeout)
      if (content !== null)
        await call(() => pipeline(content.stream, createWriteStream(file.path, { mode: 0o600 }), { signal }))
      return await work(file.path)
    },
    read: (sha256) => get(getKey(sha256)),
    remove: (sha256) =>
      call(async ({ s3, sdk }) => {
        await s3.send(new sdk.DeleteObjectCommand({ Bucket, Key: getKey(sha256) }))
      }),
    async readMark() {
      // The mark of a bucket does not change, and probes read it often.
      mark ??= await call(async ({ s3, sdk }) => {
        const object = await ignoreMissing(s3.send(new sdk.GetObjectCommand({ Bucket, Key: markKey })))
        if (object?.Body === undefined) return null
        const { size, stream } = readAnswer(object)
        if (size > 0 && size <= maxMarkBytes) return (await object.Body.transformToString()).trim()
        stream.destroy()
        return null
      })
      return mark
    },
    async writeMark(text) {
      await call(({ s3, sdk }) =>
        s3.send(new sdk.PutObjectCommand({ Bucket, Key: markKey, Body: `${text}\n` })),
      )
      mark = text
    },
    mayHaveOldFiles: async () => false,
  }
}

interface Client {
  s3: S3Client
  sdk: typeof import('@aws-sdk/client-s3')
}

const silentLogger = { debug() {}, info() {}, warn() {}, error() {} }

async function openClient({ region, endpoint, credentials }: S3Settings): Promise<Client> {
  const sdk = await import('@aws-sdk/client-s3')
  const s3 = new sdk.S3Client({
    region,
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(credentials !== undefined && { credentials }),
    maxAttempts,
    // By default the SDK writes warnings to standard error. Failures are logged with their AppError.
    logger: silentLogger,
    requestHandler: { connectionTimeout: timeouts.connect, socketTimeout: timeouts.idle },
    // Older stores do not know the checksums that the SDK adds.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  const host = endpoint === undefined ? 's3' : new URL(endpoint).host
  s3.middlewareStack.add(
    (next, { commandName = 'S3' }) =>
      (command) =>
        traceOutgoingCall({ name: commandName, host }, () => next(command)),
    { step: 'initialize', name: 'karvonTracing' },
  )
  return { s3, sdk }
}

const readAnswer = ({ Body, ContentLength }: GetObjectCommandOutput) => ({
  size: ContentLength ?? 0,
  stream: Body as Readable,
})

/** The SDK does not repeat a request whose body is a stream. */
async function retry<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send()
  } catch {
    return send()
  }
}

async function ignoreMissing<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Error && (error.name === 'NoSuchKey' || error.name === 'NotFound')) return null
    throw error
  }
}
