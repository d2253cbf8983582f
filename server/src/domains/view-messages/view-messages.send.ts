import { deliverToChat } from '../../integrations/telegram/telegram.delivery.ts'
import { maxCaption } from '../../integrations/telegram/telegram.form.ts'
import { maxMessage, type Telegram } from '../../integrations/telegram/telegram.ts'
import { retryWhileUnavailable } from '../../platform/database/retry-while-unavailable.ts'
import type { Deps } from '../../platform/deps.ts'
import { AppError } from '../../platform/http/errors.ts'
import { deliverMail } from '../../platform/mail/mail.delivery.ts'
import type { Mailer } from '../../platform/mail/mail.ts'
import { drawPng } from '../../platform/pictures/pictures.ts'
import type { DeliveryFailure } from '../../platform/queue/queue.outcome.ts'
import { toLine } from '../../platform/texts/texts.ts'
import { CallRefusedError, type ReceiverCalls } from './view-messages.calls.ts'
import { buildContent, type MessageContent } from './view-messages.content.ts'
import {
  readMessageToSend,
  storeReason,
  storeSentParts,
  type MessageToSend,
} from './view-messages.queries.ts'
import {
  describeDelivery,
  describeRefusal,
  describeSlowPreparation,
  refuse,
  type MessageFailure,
} from './view-messages.reasons.ts'

export interface MessageChannels {
  readonly telegram: Telegram | null
  readonly mailer: Mailer | null
  readonly calls: ReceiverCalls
}

/** A message by its id. It is late after `hours`. */
interface Attempt extends MessageChannels {
  readonly id: number
  readonly hours: number
  readonly maxPreparation?: number
}

/** The preparation of a message took too long. */
class PreparationTimeoutError extends Error {}

type MessageDeps = Pick<Deps, 'db' | 'pool' | 'config'>

const maxMailText = 20_000
/**
 * Milliseconds from the start of an attempt after which nothing is sent. The lease ends after three minutes. Then another process
 * may send the message too, and a mail takes up to one minute.
 */
const defaultMaxPreparation = 110_000

/** Makes one attempt to send a message, and stores why it failed. Null if all parts arrived. */
export async function sendViewMessage(
  deps: MessageDeps,
  options: Attempt,
  signal: AbortSignal,
): Promise<DeliveryFailure | null> {
  const { db } = deps
  // Stays if the attempt fails in an unexpected way or is killed.
  await storeReason(db, options.id, new AppError('message_failed').describe())
  const failedAttempt = await attempt(deps, options, signal)
  // Without its result, the message would be sent again.
  await retryWhileUnavailable(() => storeReason(db, options.id, failedAttempt?.reason ?? null))
  return failedAttempt?.failure ?? null
}

/** Sends a message with the present rights of its receiver. */
async function attempt(
  deps: MessageDeps,
  { telegram, mailer, calls, id, hours, maxPreparation = defaultMaxPreparation }: Attempt,
  signal: AbortSignal,
): Promise<MessageFailure | null> {
  const startTime = performance.now()
  const refuseLateStart = () => {
    if (performance.now() - startTime > maxPreparation) throw new PreparationTimeoutError()
  }
  const storedMessage = await readMessageToSend(deps.db, id, hours)
  if (storedMessage?.is_allowed !== true) return refuse(new AppError('view_closed_to_receiver'))
  const message = { ...storedMessage, name: toLine(storedMessage.name) }
  const { receiver, channel } = message
  if (message.is_late) return refuse(new AppError('message_too_late', { hours }))
  const { publicUrl, timeZone, currency } = deps.config
  const readContent = () => buildContent(message, { db: deps.db, calls, publicUrl, timeZone, currency })
  try {
    if (channel === 'mail') {
      if (mailer === null) return refuse(new AppError('channel_not_set_up'))
      return describeDelivery(
        await sendMail(mailer, { message, content: await readContent(), refuseLateStart }, signal),
      )
    }
    if (telegram === null) return refuse(new AppError('channel_not_set_up'))
    if (receiver.chat === null) return refuse(new AppError('chat_not_linked'))
    if (receiver.isMuted) return refuse(new AppError('chat_muted'))
    const content = await readContent()
    const parts = { id, chat: receiver.chat, sentParts: message.sent_parts, content, refuseLateStart }
    return describeDelivery(await sendToChat(deps, { telegram, ...parts }, signal))
  } catch (error) {
    if (error instanceof CallRefusedError) return describeRefusal(error)
    if (error instanceof PreparationTimeoutError) return describeSlowPreparation()
    if (error instanceof AppError && error.code === 'view_closed_to_receiver') return refuse(error)
    throw error
  }
}

async function sendMail(
  mailer: Mailer,
  {
    message,
    content,
    refuseLateStart,
  }: { message: MessageToSend; content: MessageContent; refuseLateStart: () => void },
  signal: AbortSignal,
): Promise<DeliveryFailure | null> {
  const { svg, writeText, writeFile } = content
  const file = await writeFile()
  const mail = {
    to: message.receiver.email,
    subject: message.name,
    text: writeText(maxMailText),
    attachments: [
      ...(svg === null ? [] : [{ name: 'chart.png', content: await drawPng(svg) }]),
      ...(file === null ? [] : [file]),
    ],
  }
  refuseLateStart()
  return deliverMail(mailer, mail, signal)
}

interface ChatParts {
  telegram: Telegram
  id: number
  chat: string
  sentParts: number
  content: MessageContent
  refuseLateStart: () => void
}

/** Sends the text, with the picture if there is one, and then the file. A retry begins with the part that has not arrived. */
async function sendToChat(
  deps: MessageDeps,
  { telegram, id, chat, sentParts, content, refuseLateStart }: ChatParts,
  signal: AbortSignal,
): Promise<DeliveryFailure | null> {
  const { rate, answerWithin } = deps.config.telegram
  const { svg, writeText, writeFile } = content
  const sendText = async (): Promise<Send> => {
    if (svg === null) return (to, until) => telegram.sendMessage(to, { text: writeText(maxMessage) }, until)
    const photo = { name: 'chart.png', content: await drawPng(svg), caption: writeText(maxCaption) }
    return (to, until) => telegram.sendPhoto(to, photo, until)
  }
  const sendFile = async (): Promise<Send | null> => {
    const file = await writeFile()
    return file && ((to, until) => telegram.sendDocument(to, { ...file, caption: '' }, until))
  }
  for (const [at, prepare] of [sendText, sendFile].entries()) {
    if (at < sentParts) continue
    const send = await prepare()
    if (send !== null) {
      refuseLateStart()
      const until = AbortSignal.any([signal, AbortSignal.timeout(answerWithin)])
      const failure = await deliverToChat(deps.pool, { chat, rate, send }, until)
      if (failure !== null) return failure
    }
    await retryWhileUnavailable(() => storeSentParts(deps.db, id, at + 1))
  }
  return null
}

type Send = (chat: string, signal: AbortSignal) => Promise<void>
