import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { text as readText } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { S3Client } from '@aws-sdk/client-s3'
import type { S3Settings } from '../../config.s3.ts'
import { AppError } from '../http/errors.ts'
import { openOnce } from '../open-once.ts'
import { traceOutgoingCall } from '../tracing/tracing.calls.ts'

/** Milliseconds. A request fails when nothing is transferred for `idle`. */
const timeouts = { connect: 2000, idle: 5000 }
/** Milliseconds for a whole file. During an upload a transaction waits for the bucket. */
const fileTimeout = 30_000
/** Attempts of a request, which is repeated after a network failure or an answer 5xx. */
const maxAttempts = 2

interface StoredObject {
  /** Bytes. */
  size: number
  stream: Readable
}

/** The objects of a bucket. Every method throws `file_store_unavailable` while the bucket does not answer or refuses the credentials. */
export interface S3Bucket {
  /** Stores a file of this machine. The bucket verifies its content by the SHA-256. */
  putFile(key: string, file: { path: string; sha256: string }): Promise<void>
  putText(key: string, text: string): Promise<void>
  /** Null when the object does not exist. The caller reads or destroys the stream. */
  get(key: string): Promise<StoredObject | null>
  /** Writes an object to a path, which does not exist afterwards if the object does not. */
  download(key: string, path: string): Promise<void>
  /** Null when the object does not exist, is empty or has more than `maxBytes`. */
  getText(key: string, maxBytes: number): Promise<string | null>
  remove(key: string): Promise<void>
}

export function openS3Bucket(settings: S3Settings): S3Bucket {
  const { bucket: Bucket } = settings
  // The SDK is loaded on the first use: few installations have a bucket.
  const open = openOnce(() => openClient(settings))
  const call = async <T>(work: (client: Client) => Promise<T>): Promise<T> => {
    try {
      return await work(await open())
    } catch (error) {
      if (error instanceof AppError) throw error
      throw new AppError('file_store_unavailable', {}, { retryAfter: 5, cause: error })
    }
  }
  const getObject = async ({ s3, sdk }: Client, Key: string): Promise<StoredObject | null> => {
    const answer = await ignoreMissing(s3.send(new sdk.GetObjectCommand({ Bucket, Key })))
    return answer?.Body === undefined
      ? null
      : { size: answer.ContentLength ?? 0, stream: answer.Body as Readable }
  }
  return {
    putFile: (Key, { path, sha256 }) =>
      call(async ({ s3, sdk }) => {
        const { size: ContentLength } = await stat(path)
        const ChecksumSHA256 = Buffer.from(sha256, 'hex').toString('base64')
        const abortSignal = AbortSignal.timeout(fileTimeout)
        const answer = await retry(() => {
          const content = { Body: createReadStream(path), ContentLength, ChecksumSHA256 }
          return s3.send(new sdk.PutObjectCommand({ Bucket, Key, ...content }), { abortSignal })
        })
        // Every S3 store answers with an ETag. Without one, the answer is from another server.
        if (answer.ETag === undefined) throw new Error('The bucket did not confirm the file')
      }),
    putText: (Key, Body) =>
      call(async ({ s3, sdk }) => {
        await s3.send(new sdk.PutObjectCommand({ Bucket, Key, Body }))
      }),
    get: (key) => call((client) => getObject(client, key)),
    download: (key, path) =>
      call(async (client) => {
        const object = await getObject(client, key)
        if (object === null) return
        const signal = AbortSignal.timeout(fileTimeout)
        await pipeline(object.stream, createWriteStream(path, { mode: 0o600 }), { signal })
      }),
    getText: (key, maxBytes) =>
      call(async (client) => {
        const object = await getObject(client, key)
        if (object === null) return null
        if (object.size > 0 && object.size <= maxBytes) return readText(object.stream)
        object.stream.destroy()
        return null
      }),
    remove: (Key) =>
      call(async ({ s3, sdk }) => {
        await s3.send(new sdk.DeleteObjectCommand({ Bucket, Key }))
      }),
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
