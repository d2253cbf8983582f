import type { PersonLanguage } from '@karvon/contract/lib/language.ts'
import { openTelegram, type Telegram } from '../../integrations/telegram/telegram.ts'
import { deleteUnusedChats } from '../../integrations/telegram/telegram.chats.queries.ts'
import { deliverToChat } from '../../integrations/telegram/telegram.delivery.ts'
import { messageQueueJob } from '../../platform/queue/queue.job.ts'
import type { DeliveryFailure } from '../../platform/queue/queue.outcome.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { isSecondFactorRequired } from '../../platform/security/required-second-factor.ts'
import { botJob } from './notices.bot.ts'
import type { BotReader } from './notices.bot.answers.ts'
import { readNoticeToSend, storeNoticeText } from './notices.queries.ts'
import { formatNotice, type NoticeParams } from './notices.texts.ts'
import { defaultLanguage } from '../../platform/texts/texts.ts'
import { digestJob, type ReadDigestFigures } from './notices.digest.ts'

/** Composes the text of a notice about alerts when it is sent. `nothing`: it is not to be sent. `wait`: it is sent later. */
export type ComposeAlerts = (
  noticeId: number,
  language: PersonLanguage,
) => Promise<{ text: string } | 'wait' | 'nothing'>

/** What notices read of other domains. */
export interface NoticeReaders {
  figuresOf: ReadDigestFigures
  composeAlerts: ComposeAlerts
}

/** Milliseconds between two notices. Telegram accepts about 30 messages of a bot in a second. */
const noticePause = 100

/** The jobs that send notices to people's own chats. No jobs without a bot in the settings. */
export function noticesJobs(
  deps: Deps,
  { figuresOf, composeAlerts }: NoticeReaders,
  pause = noticePause,
): Job[] {
  const { db, config } = deps
  const telegram = openTelegram(config.telegram)
  if (telegram === null) return []
  return [
    digestJob(db, figuresOf),
    chatsRetentionJob(deps),
    messageQueueJob(deps, {
      name: 'notices',
      table: 'notices',
      interval: 5000,
      pause,
      deliver: (id, signal) => sendNotice(deps, { telegram, composeAlerts, id, signal }),
    }),
  ]
}

/** The job of the bot that answers people. None without a bot in the settings. */
export function botJobs(deps: Deps, reader: BotReader): Job[] {
  const { telegram: settings } = deps.config
  const telegram = openTelegram(settings)
  if (telegram === null) return []
  // The token of a bot consists of its id and its secret.
  const [bot = ''] = settings.token?.split(':') ?? []
  return [botJob(deps, { telegram, bot, reader })]
}

const chatsPerBatch = 5000

/** Deletes the state of chats that is not needed, such as the pause of a stranger's chat. */
const chatsRetentionJob = ({ pool }: Deps): Job => ({
  name: 'telegram-chats-retention',
  interval: 3_600_000,
  timeout: 60_000,
  isExclusive: true,
  run: async () => ({ hasMore: (await deleteUnusedChats(pool, chatsPerBatch)) === chatsPerBatch }),
})

/** Sends a notice to its own chat id if it has one, otherwise to the chat that the person has linked now. */
async function sendNotice(
  { db, pool, config }: Deps,
  {
    telegram,
    composeAlerts,
    id,
    signal,
  }: { telegram: Telegram; composeAlerts: ComposeAlerts; id: number; signal: AbortSignal },
): Promise<DeliveryFailure | null> {
  const row = await readNoticeToSend(db, id)
  const { own_chat_id } = row
  const composition = await composeText({ id, ...row }, composeAlerts)
  if (typeof composition === 'object' && composition.text !== row.text)
    await storeNoticeText(db, id, composition.text)
  const chat = own_chat_id ?? row.chat_id
  if (chat === null || !(row.is_active || own_chat_id !== null))
    return { kind: 'rejected', reason: 'The person has no chat linked any more' }
  if (row.is_muted && row.kind !== 'security')
    return { kind: 'rejected', reason: 'The person turned notices off for a time' }
  // As for the calls: an admin without the required second factor reads nothing but the own account.
  const lacksSecondFactor = isSecondFactorRequired(config, row.role_code) && !row.second_factor
  if (lacksSecondFactor && row.kind !== 'security')
    return { kind: 'rejected', reason: 'The person must set up a second factor first' }
  if (!row.is_wanted) return { kind: 'rejected', reason: 'The person turned notices of this kind off' }
  if (composition === 'nothing') return { kind: 'rejected', reason: 'It ended before it was sent' }
  if (composition === 'wait')
    return { kind: 'temporary', reason: 'The notice of the begin is being sent', mayHaveArrived: false }
  const { text } = composition
  const send = (current: string, until: AbortSignal) => telegram.sendMessage(current, { text }, until)
  const { rate, answerWithin } = config.telegram
  return deliverToChat(
    pool,
    { chat, rate, send },
    AbortSignal.any([signal, AbortSignal.timeout(answerWithin)]),
  )
}

/** Composes the text of a notice in the language that its person has now. */
async function composeText(
  {
    id,
    kind,
    text,
    message,
    params,
    language,
  }: { id: number } & Awaited<ReturnType<typeof readNoticeToSend>>,
  composeAlerts: ComposeAlerts,
): ReturnType<ComposeAlerts> {
  if (kind === 'alert') return composeAlerts(id, language ?? defaultLanguage)
  if (message === null) return { text: text ?? '' }
  return { text: formatNotice(message, (params ?? {}) as NoticeParams, language ?? defaultLanguage) }
}
