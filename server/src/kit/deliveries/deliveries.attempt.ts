import type pg from 'pg'
import { TelegramError, type TelegramTrouble } from '../../clients/telegram.error.ts'
import { chatState, noteMoved, noteRest } from './deliveries.queue.ts'
import { takeTurn, type ChatPace } from './deliveries.turn.ts'

/** What is to be delivered: to which chat, as the settings or its owner name it, and how it is sent to one. */
export interface Letter {
  chat: string
  /** How often a chat is sent something; null for as often as there is. */
  pace: ChatPace | null
  /** Milliseconds that it may take on the way, where it is more than a few words. */
  travels?: number
  send(chat: string, signal: AbortSignal): Promise<void>
}

/** A group that moves again while it is followed is left for the next attempt. */
const maxMoves = 3

/**
 * One attempt to deliver, until `signal` aborts; null when it was taken. A chat that rests is not asked; one that moved
 * is followed at once.
 */
export async function deliver(
  pool: pg.Pool,
  letter: Letter,
  signal: AbortSignal,
): Promise<TelegramTrouble | null> {
  const { current, rests } = await chatState(pool, letter.chat)
  if (rests > 0) return { kind: 'slow_down', seconds: rests }
  const turn = letter.pace === null ? 0 : await takeTurn(pool, letter.chat, letter.pace, signal)
  if (turn > 0) return { kind: 'slow_down', seconds: Math.ceil(turn) }
  let chat = current
  for (let moves = 1; ; moves += 1) {
    const trouble = await troubleWith(letter.send(chat, signal))
    if (trouble?.kind === 'slow_down') await noteRest(pool, letter.chat, trouble.seconds)
    if (trouble?.kind !== 'moved') return trouble
    chat = trouble.chat
    await noteMoved(pool, letter.chat, chat)
    if (moves > maxMoves) return trouble
  }
}

function troubleWith(sending: Promise<void>): Promise<TelegramTrouble | null> {
  return sending.then(
    () => null,
    (error: unknown) => {
      if (error instanceof TelegramError) return error.trouble
      throw error
    },
  )
}
