import { buffer } from 'node:stream/consumers'
import { buildExploreQuery, readExploreAddress } from '@karvon/contract/explore/explore.address.ts'
import { exploreQuery, type ExploreQuery } from '@karvon/contract/explore/explore.ts'
import { parseViewAddress } from '@karvon/contract/saved-views/address.ts'
import { deliverToChat } from '../../integrations/telegram/telegram.delivery.ts'
import { maxCaption } from '../../integrations/telegram/telegram.form.ts'
import { maxMessage, type Telegram } from '../../integrations/telegram/telegram.ts'
import type { Deps } from '../../platform/deps.ts'
import { createXlsxStream } from '../../platform/exports/exports.xlsx.ts'
import { AppError } from '../../platform/http/errors.ts'
import { createValidator } from '../../platform/http/validation.ts'
import { refuseMalformed } from '../../platform/http/wellformed.ts'
import { MailError } from '../../platform/mail/mail.error.ts'
import type { Mailer } from '../../platform/mail/mail.ts'
import { drawPng } from '../../platform/pictures/pictures.ts'
import type { DeliveryFailure } from '../../platform/queue/queue.outcome.ts'
import { defaultLanguage, toLine } from '../../platform/texts/texts.ts'
import { explore } from '../explore/explore.ts'
import { buildExploreSheet } from '../explore/explore.sheet.ts'
import { drawChart } from './view-messages.chart.ts'
import { readMessageToSend, storeSentParts, type MessageToSend } from './view-messages.queries.ts'
import { composeText } from './view-messages.text.ts'

export interface MessageChannels {
  readonly telegram: Telegram | null
  readonly mailer: Mailer | null
}

/** Milliseconds for a mail. With the figures and the picture, an attempt ends before its lease. */
const mailTimeout = 60_000
const maxMailText = 20_000

const rejected = (reason: string): DeliveryFailure => ({ kind: 'rejected', reason })
const validateQuery = createValidator(exploreQuery, 'address')

/** Makes one attempt to send a message, with the present rights of its receiver. Null if all parts arrived. */
export async function sendViewMessage(
  deps: Deps,
  { telegram, mailer, id, hours }: MessageChannels & { id: number; hours: number },
  signal: AbortSignal,
): Promise<DeliveryFailure | null> {
  const stored = await readMessageToSend(deps.db, id, hours)
  const message = { ...stored, name: toLine(stored.name) }
  const { receiver, channel } = message
  if (!message.is_allowed) return rejected('The receiver may not get this view any more')
  if (message.is_late) return rejected(`It could not be sent for ${hours} hours`)
  if (channel === 'mail')
    return mailer === null ? rejected('There is no mail server') : sendMail(deps, { mailer, message }, signal)
  if (telegram === null) return rejected('There is no bot of Telegram')
  if (receiver.chat === null) return rejected('The person has no chat linked')
  if (receiver.isMuted) return rejected('The person turned notices off for a time')
  return sendToChat(deps, { telegram, message, id, chat: receiver.chat }, signal)
}

interface MessageContent {
  readonly writeText: (maxLength: number) => string
  readonly svg: string | null
  readonly writeSheet: () => Promise<Buffer>
}

/** Reads the figures of a view as its receiver sees them. Errors: 422 of Explore. */
async function buildContent(
  { db, config }: Deps,
  { name, address, receiver }: MessageToSend,
): Promise<MessageContent> {
  const state = readExploreAddress(parseViewAddress(address).search)
  const query = buildExploreQuery(state)
  refuseMalformed(query)
  const checked = validateQuery(query)
  if ('error' in checked) throw checked.error
  const answer = await explore(db, checked.value as ExploreQuery, receiver.isAdmin ? null : receiver)
  const language = receiver.language ?? defaultLanguage
  const link = config.publicUrl === undefined ? null : `${config.publicUrl}${address}`
  return {
    writeText: (maxLength) => composeText(answer, { name, language, link, maxLength }),
    svg: drawChart(answer, { name, view: state.view, language }),
    async writeSheet() {
      const { headers, rows } = buildExploreSheet(answer)
      return buffer(createXlsxStream(headers, { rows: oneBatch(rows), sheetName: 'explore' }))
    },
  }
}

async function* oneBatch<Row>(rows: Row[]): AsyncGenerator<Row[]> {
  yield rows
}

/** A question that Explore refuses stays refused. */
async function buildContentSafely(
  deps: Deps,
  message: MessageToSend,
): Promise<MessageContent | DeliveryFailure> {
  try {
    return await buildContent(deps, message)
  } catch (error) {
    if (error instanceof AppError && error.status === 422) return rejected(error.message)
    throw error
  }
}

async function sendMail(
  deps: Deps,
  { mailer, message }: { mailer: Mailer; message: MessageToSend },
  signal: AbortSignal,
): Promise<DeliveryFailure | null> {
  const content = await buildContentSafely(deps, message)
  if ('kind' in content) return content
  const { svg } = content
  const mail = {
    to: message.receiver.email,
    subject: message.name,
    text: content.writeText(maxMailText),
    attachments: [
      ...(svg === null ? [] : [{ name: 'chart.png', content: await drawPng(svg) }]),
      { name: 'explore.xlsx', content: await content.writeSheet() },
    ],
  }
  try {
    await mailer.send(mail, AbortSignal.any([signal, AbortSignal.timeout(mailTimeout)]))
    return null
  } catch (error) {
    if (error instanceof MailError) return error.failure
    throw error
  }
}

/** Sends the picture with the text, and then the file. A retry begins with the part that has not arrived. */
async function sendToChat(
  deps: Deps,
  { telegram, message, id, chat }: { telegram: Telegram; message: MessageToSend; id: number; chat: string },
  signal: AbortSignal,
): Promise<DeliveryFailure | null> {
  const content = await buildContentSafely(deps, message)
  if ('kind' in content) return content
  const { rate, answerWithin } = deps.config.telegram
  const { svg } = content
  const sendFigures = async (): Promise<Send> => {
    if (svg === null)
      return (to, until) => telegram.sendMessage(to, { text: content.writeText(maxMessage) }, until)
    const photo = { name: 'chart.png', content: await drawPng(svg), caption: content.writeText(maxCaption) }
    return (to, until) => telegram.sendPhoto(to, photo, until)
  }
  const sendSheet = async (): Promise<Send> => {
    const document = { name: 'explore.xlsx', content: await content.writeSheet(), caption: '' }
    return (to, until) => telegram.sendDocument(to, document, until)
  }
  for (const [at, prepare] of [sendFigures, sendSheet].entries()) {
    if (at < message.sent_parts) continue
    const send = await prepare()
    const until = AbortSignal.any([signal, AbortSignal.timeout(answerWithin)])
    const failure = await deliverToChat(deps.pool, { chat, rate, send }, until)
    if (failure !== null) return failure
    await storeSentParts(deps.db, id, at + 1)
  }
  return null
}

type Send = (chat: string, signal: AbortSignal) => Promise<void>
