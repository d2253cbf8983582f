import { sql } from 'kysely'
import type pg from 'pg'
import type { FileStore } from '../clients/file-store.ts'
import type { TelegramTrouble } from '../clients/telegram.error.ts'
import { maxCaption } from '../clients/telegram.form.ts'
import type { Telegram } from '../clients/telegram.ts'
import type { Db } from '../db/pool.ts'
import { deliver, type Letter } from '../kit/deliveries/deliveries.attempt.ts'
import { claim, note } from '../kit/deliveries/deliveries.queue.ts'
import type { ChatPace } from '../kit/deliveries/deliveries.turn.ts'
import { verdict } from '../kit/deliveries/deliveries.verdict.ts'

/** Where uploads go; null where the settings name no bot or no chat. */
export interface Post {
  telegram: Telegram
  chat: string
  pace: ChatPace | null
}

export interface SendParts {
  db: Db
  pool: pg.Pool
  files: FileStore
  post: Post | null
}

/** Bytes a millisecond of the slowest line that files are waited for. */
const slowest = 250

export interface Sent {
  sent: boolean
  /** For the person who uploaded, in the language of the parcels page. */
  message: string
}

/** What is sent of an upload. Its id in the caption tells one that came twice from two that are alike. */
export async function uploadLetter({ db, files }: SendParts, post: Post, id: number): Promise<Letter> {
  const row = await db
    .selectFrom('uploads as u')
    .innerJoin('users as p', 'p.id', 'u.user_id')
    .select(['u.name', 'u.sha256', 'u.size', 'u.description', 'p.name as person', 'p.username'])
    .where('u.id', '=', id)
    .executeTakeFirstOrThrow()
  const caption = [`#${id} ${row.person} (${row.username})`, row.description ?? ''].join('\n').trim()
  const document = { path: files.pathOf(row.sha256), name: row.name, caption: caption.slice(0, maxCaption) }
  return {
    chat: post.chat,
    pace: post.pace,
    travels: row.size / slowest,
    send: (chat, signal) => post.telegram.sendDocument(chat, document, signal),
  }
}

/**
 * The first attempt to send an upload, within `milliseconds`; whatever it leaves behind is the job's. The row must not
 * be due before this has ended, so that the job leaves it alone.
 */
export async function firstAttempt(parts: SendParts, id: number, milliseconds: number): Promise<Sent> {
  const { db, pool, post } = parts
  if (post === null) {
    await leave(db, id, 'Telegram is not set up')
    return { sent: false, message: 'отправка в Telegram не настроена' }
  }
  const signal = AbortSignal.timeout(Math.max(0, Math.ceil(milliseconds)))
  // What is left is too little for a file to travel; or an admin was quicker, and the job has it.
  const claimed = milliseconds < 300 ? null : await claim(pool, 'uploads', id)
  if (claimed === null) {
    // Of an upload that is asked for once more.
    if (await isSent(db, id)) return arrived
    await leave(db, id, 'There was no time left to send it at once')
    return { sent: false, message: 'не хватило времени, отправим позже' }
  }
  const trouble = await deliver(pool, await uploadLetter(parts, post, id), signal)
  await note(pool, 'uploads', claimed, verdict(trouble, claimed.attempts))
  if (trouble === null) return arrived
  return { sent: false, message: messageOf(trouble) }
}

const arrived: Sent = { sent: true, message: 'Файл успешно загружен и отправлен в Telegram' }

async function isSent(db: Db, id: number): Promise<boolean> {
  const row = await db.selectFrom('uploads').select('status').where('id', '=', id).executeTakeFirst()
  return row?.status === 'sent'
}

function messageOf(trouble: TelegramTrouble): string {
  switch (trouble.kind) {
    case 'slow_down':
      return `Telegram просит подождать ${trouble.seconds} с, отправим позже`
    case 'refused':
      return 'Telegram не принимает файлы, сообщите администратору'
    case 'moved':
    case 'later':
      return 'Telegram не отвечает, отправим позже'
  }
}

/** Leaves an upload that was not tried to the job. */
async function leave(db: Db, id: number, reason: string): Promise<void> {
  await db
    .updateTable('uploads')
    .set({ last_error: reason, next_at: sql`now()` })
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .where('attempts', '=', 0)
    .execute()
}
