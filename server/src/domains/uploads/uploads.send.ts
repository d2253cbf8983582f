import { sql } from 'kysely'
import type pg from 'pg'
import type { FileStore } from '../../platform/files/file-store.ts'
import { maxCaption } from '../../integrations/telegram/telegram.form.ts'
import type { Telegram } from '../../integrations/telegram/telegram.ts'
import type { Db } from '../../platform/database/pool.ts'
import { deliverToChat, type ChatMessage } from '../../integrations/telegram/telegram.delivery.ts'
import { leaseRow, recordOutcome } from '../../platform/queue/queue.rows.ts'
import type { ChatRate } from '../../integrations/telegram/telegram.chats.ts'
import { outcomeOf, type DeliveryFailure } from '../../platform/queue/queue.outcome.ts'

/** The chat that uploads are sent to. */
export interface UploadChat {
  telegram: Telegram
  chat: string
  rate: ChatRate | null
  answerWithin: number
}

export interface SendParts {
  db: Db
  pool: pg.Pool
  files: FileStore
  /** Null where the settings name no bot or no chat. */
  destination: UploadChat | null
}

/** Bytes a millisecond of the slowest line that a file may take. */
const slowestLine = 250
/** Milliseconds for a whole attempt; less than a lease. */
const attemptWithin = 150_000

export interface SendResult {
  sent: boolean
  /** For the person who uploaded, in the language of the parcels page. */
  message: string
}

/**
 * One attempt to send an upload, until `signal` aborts or it takes too long for its size; null when it arrived. The id in
 * the caption tells an upload that came twice from two equal ones.
 */
export async function sendUpload(
  { db, pool, files }: SendParts,
  { telegram, chat, rate, answerWithin }: UploadChat,
  id: number,
  signal: AbortSignal,
): Promise<DeliveryFailure | null> {
  const row = await db
    .selectFrom('uploads as u')
    .innerJoin('users as p', 'p.id', 'u.user_id')
    .select(['u.name', 'u.sha256', 'u.size', 'u.description', 'p.name as person', 'p.username'])
    .where('u.id', '=', id)
    .executeTakeFirstOrThrow()
  const caption = [`#${id} ${row.person} (${row.username})`, row.description ?? ''].join('\n').trim()
  const document = { path: files.pathOf(row.sha256), name: row.name, caption: caption.slice(0, maxCaption) }
  const milliseconds = Math.min(answerWithin + Math.ceil(row.size / slowestLine), attemptWithin)
  const message: ChatMessage = {
    chat,
    rate,
    send: (current, until) => telegram.sendDocument(current, document, until),
  }
  return deliverToChat(pool, message, AbortSignal.any([signal, AbortSignal.timeout(milliseconds)]))
}

/**
 * The first attempt to send an upload, within `milliseconds`; the job makes the further ones. The row must not be due
 * before this has ended, so that the job leaves it alone.
 */
export async function firstAttempt(parts: SendParts, id: number, milliseconds: number): Promise<SendResult> {
  const { db, pool, destination } = parts
  if (destination === null) {
    await leaveToJob(db, id, 'Telegram is not set up')
    return { sent: false, message: 'отправка в Telegram не настроена' }
  }
  const signal = AbortSignal.timeout(Math.max(0, Math.ceil(milliseconds)))
  // Too little time is left to send a file; or an admin retried it, and the job has it.
  const row = milliseconds < 300 ? null : await leaseRow(pool, 'uploads', id)
  if (row === null) {
    // A repeated upload that was sent already.
    if (await isSent(db, id)) return arrived
    await leaveToJob(db, id, 'There was no time left to send it at once')
    return { sent: false, message: 'не хватило времени, отправим позже' }
  }
  const failure = await sendUpload(parts, destination, id, signal)
  await recordOutcome(pool, 'uploads', row, outcomeOf(failure, row.attempts))
  return failure === null ? arrived : { sent: false, message: messageOf(failure) }
}

const arrived: SendResult = { sent: true, message: 'Файл успешно загружен и отправлен в Telegram' }

async function isSent(db: Db, id: number): Promise<boolean> {
  const row = await db.selectFrom('uploads').select('status').where('id', '=', id).executeTakeFirst()
  return row?.status === 'sent'
}

function messageOf(failure: DeliveryFailure): string {
  switch (failure.kind) {
    case 'rate_limited':
      return `Telegram просит подождать ${failure.seconds} с, отправим позже`
    case 'rejected':
      return 'Telegram не принимает файлы, сообщите администратору'
    case 'temporary':
      return 'Telegram не отвечает, отправим позже'
  }
}

/** Makes an upload without an attempt due for the job. */
async function leaveToJob(db: Db, id: number, reason: string): Promise<void> {
  await db
    .updateTable('uploads')
    .set({ last_error: reason, next_at: sql`now()` })
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .where('attempts', '=', 0)
    .execute()
}
