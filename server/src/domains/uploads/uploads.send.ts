import type pg from 'pg'
import { formatMessage, type MessageParams } from '@karvon/contract/lib/message.ts'
import { uploadDelayMessages, type UploadAnswer, type UploadDelay } from '@karvon/contract/uploads/uploads.ts'
import type { FileStore } from '../../platform/files/file-store.ts'
import { maxCaption } from '../../integrations/telegram/telegram.form.ts'
import type { Telegram } from '../../integrations/telegram/telegram.ts'
import type { Db } from '../../platform/database/pool.ts'
import { deliverToChat, type ChatMessage } from '../../integrations/telegram/telegram.delivery.ts'
import { AppError } from '../../platform/http/errors.ts'
import { retryWhileUnavailable } from '../../platform/database/retry-while-unavailable.ts'
import { leaseRow, recordOutcome } from '../../platform/queue/queue.rows.ts'
import type { ChatRate } from '../../integrations/telegram/telegram.chats.queries.ts'
import { decideOutcome, type DeliveryFailure } from '../../platform/queue/queue.outcome.ts'
import { isSent, queueForJob, readUploadToSend } from './uploads.send.queries.ts'

/** The Telegram chat for uploads. */
export interface UploadChat {
  telegram: Telegram
  chat: string
  rate: ChatRate | null
  answerWithin: number
}

export interface UploadSendDeps {
  db: Db
  pool: pg.Pool
  files: FileStore
  /** Null without a bot or a chat in the settings. */
  destination: UploadChat | null
}

/** Minimum speed of an upload to Telegram, in bytes per millisecond. */
const minBytesPerMillisecond = 250
/** Maximum time of an attempt, in milliseconds. It is shorter than the lease of a row. */
const attemptTimeout = 150_000

/** The part of an upload's answer about its sending. */
export type SendResult = Pick<UploadAnswer, 'sent_to_telegram' | 'message' | 'code' | 'params'>

/** An upload, with a path of its file on this machine if there is one. */
interface UploadToSend {
  id: number
  path?: string | undefined
}

/**
 * Makes one attempt to send an upload; null on success. Without a path it reads the file from the store. It ends when `signal` aborts or the time for the file's size is
 * over. The id in the caption distinguishes an upload that arrived twice from two equal uploads.
 */
export async function sendUpload(
  { db, pool, files, destination }: UploadSendDeps & { destination: UploadChat },
  { id, path: localPath }: UploadToSend,
  signal: AbortSignal,
): Promise<DeliveryFailure | null> {
  const { telegram, chat, rate, answerWithin } = destination
  const row = await readUploadToSend(db, id)
  const caption = [`#${id} ${row.person} (${row.username})`, row.description ?? ''].join('\n').trim()
  const milliseconds = Math.min(answerWithin + Math.ceil(row.size / minBytesPerMillisecond), attemptTimeout)
  const attemptSignal = AbortSignal.any([signal, AbortSignal.timeout(milliseconds)])
  const sendFrom = (path: string) => {
    const document = { content: path, name: row.name, caption: caption.slice(0, maxCaption) }
    const message: ChatMessage = {
      chat,
      rate,
      send: (current, until) => telegram.sendDocument(current, document, until),
    }
    return deliverToChat(pool, message, attemptSignal)
  }
  if (localPath !== undefined) return sendFrom(localPath)
  return files.withPath(row.sha256, sendFrom).catch((error: unknown) => {
    // The store gave no file, so nothing was sent.
    if (!(error instanceof AppError && error.code === 'file_store_unavailable')) throw error
    return { kind: 'temporary', reason: error.message, mayHaveArrived: false }
  })
}

/**
 * Makes the first attempt to send an upload, within `milliseconds`. The job makes further attempts. The row must not
 * become due before this attempt ends, so that the job does not send it at the same time.
 */
export async function firstAttempt(
  deps: UploadSendDeps,
  upload: UploadToSend,
  milliseconds: number,
): Promise<SendResult> {
  const { db, pool, destination } = deps
  const { id } = upload
  if (destination === null) {
    await queueForJob(db, id, 'Telegram is not set up')
    return describeDelay('telegram_missing')
  }
  const signal = AbortSignal.timeout(Math.max(0, Math.ceil(milliseconds)))
  // The row is null if the time is too short, or if an admin retried the upload and the job has the lease.
  const row = milliseconds < 300 ? null : await leaseRow(pool, 'uploads', id)
  if (row === null) {
    // An upload with the same Idempotency-Key was sent already.
    if (await isSent(db, id)) return sentResult
    await queueForJob(db, id, 'There was no time left to send it at once')
    return describeDelay('no_time_left')
  }
  const failure = await sendUpload({ ...deps, destination }, upload, signal)
  // Without its outcome, the upload would be sent again.
  await retryWhileUnavailable(() =>
    recordOutcome(pool, { table: 'uploads', row, outcome: decideOutcome(failure, row.attempts) }),
  )
  return failure === null ? sentResult : describeFailure(failure)
}

const sentResult: SendResult = {
  sent_to_telegram: true,
  message: 'Файл успешно загружен и отправлен в Telegram',
}

export const describeDelay = (code: UploadDelay, params?: MessageParams): SendResult => ({
  sent_to_telegram: false,
  message: formatMessage(uploadDelayMessages[code], params),
  code,
  ...(params && { params }),
})

function describeFailure(failure: DeliveryFailure): SendResult {
  switch (failure.kind) {
    case 'rate_limited':
      return describeDelay('telegram_pause', { seconds: failure.seconds })
    case 'rejected':
      return describeDelay('telegram_refusal')
    case 'temporary':
      return describeDelay('telegram_silent')
  }
}
