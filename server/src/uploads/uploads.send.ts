import { TelegramError, type Telegram, type TelegramTrouble } from '../clients/telegram.ts'
import type { Db } from '../db/pool.ts'

/** A file on its way to Telegram. */
export interface Sending {
  id: number
  path: string
  name: string
  caption: string
}

export interface Sent {
  sent: boolean
  /** For the person who uploaded, in the language of the parcels page. */
  message: string
}

/**
 * One attempt to send an upload, within `milliseconds`; the row tells how it ended: `sent`, `queued` for
 * another attempt, or `refused` until the settings change.
 *
 * The attempt is noted before it starts, so that one whose end nobody saw can be told from none at all.
 */
export async function attempt(
  db: Db,
  telegram: Telegram | null,
  sending: Sending,
  milliseconds: number,
): Promise<Sent> {
  if (telegram === null) {
    await note(db, sending.id, { last_error: 'Telegram is not set up.' })
    return { sent: false, message: 'отправка в Telegram не настроена' }
  }
  // What is left is too little for a file to travel.
  if (milliseconds < 300) {
    await note(db, sending.id, { last_error: 'There was no time left to send it.' })
    return { sent: false, message: 'не хватило времени, отправим позже' }
  }
  await db
    .updateTable('uploads')
    .set((eb) => ({
      attempts: eb('attempts', '+', 1),
      last_error: 'How the last attempt ended is not known.',
    }))
    .where('id', '=', sending.id)
    .execute()
  try {
    await telegram.sendDocument(sending, milliseconds)
    await note(db, sending.id, { status: 'sent', last_error: null, sent_at: new Date() })
    return { sent: true, message: 'Файл успешно загружен и отправлен в Telegram' }
  } catch (error) {
    if (!(error instanceof TelegramError)) throw error
    const status = error.trouble.kind === 'refused' ? 'refused' : 'queued'
    await note(db, sending.id, { status, last_error: error.message })
    return { sent: false, message: messageOf(error.trouble) }
  }
}

function messageOf(trouble: TelegramTrouble): string {
  switch (trouble.kind) {
    case 'slow_down':
      return `Telegram просит подождать ${trouble.seconds} с, отправим позже`
    case 'refused':
      return 'Telegram не принимает файлы, сообщите администратору'
    case 'later':
      return 'Telegram не отвечает, отправим позже'
  }
}

async function note(
  db: Db,
  id: number,
  values: { status?: 'sent' | 'queued' | 'refused'; last_error: string | null; sent_at?: Date },
): Promise<void> {
  await db.updateTable('uploads').set(values).where('id', '=', id).execute()
}
