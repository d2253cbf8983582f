import { TelegramError } from '../clients/telegram.error.ts'
import { openTelegram, type Telegram } from '../clients/telegram.ts'
import type { Db } from '../db/pool.ts'
import type { Letter } from '../kit/deliveries/deliveries.attempt.ts'
import { deliveriesJob, type Manners } from '../kit/deliveries/deliveries.job.ts'
import type { ChatPace } from '../kit/deliveries/deliveries.turn.ts'
import type { Deps } from '../kit/deps.ts'
import type { Job } from '../kit/jobs.ts'
import { botJob } from './notices.bot.ts'
import { digestJob, type FiguresOf } from './notices.digest.ts'

/** What tells people things in their own chats. None where no bot is set up. */
export function noticesJobs(deps: Deps, figuresOf: FiguresOf, manners?: Manners): Job[] {
  const { db, config } = deps
  const telegram = openTelegram(config.telegram)
  if (telegram === null) return []
  const { pace } = config.telegram
  // A token is the bot's number and its secret.
  const [bot = ''] = config.telegram.token?.split(':') ?? []
  return [
    botJob(deps, telegram, bot),
    digestJob(db, figuresOf),
    deliveriesJob(deps, 'notices', (id) => noticeLetter(db, telegram, pace, id), manners),
  ]
}

/** To the chat that it names, else to the one that its person has now. */
async function noticeLetter(db: Db, telegram: Telegram, pace: ChatPace | null, id: number): Promise<Letter> {
  const row = await db
    .selectFrom('notices as n')
    .innerJoin('users as u', 'u.id', 'n.user_id')
    .leftJoin('telegram_links as l', 'l.user_id', 'n.user_id')
    .select(['n.text', 'n.chat_id as named', 'l.chat_id', 'u.is_active'])
    .where('n.id', '=', id)
    .executeTakeFirstOrThrow()
  const { named, text } = row
  const chat = named ?? row.chat_id
  if (chat === null || !(row.is_active || named !== null)) return { chat: '', pace: null, send: nowhere }
  return { chat, pace, send: (current, signal) => telegram.sendMessage(current, text, signal) }
}

const nowhere = async (): Promise<void> => {
  throw new TelegramError({ kind: 'refused', reason: 'The person has no chat linked any more' })
}
