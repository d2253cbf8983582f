import type { PersonLanguage } from '@karvon/contract/lib/language.ts'
import { maxLine } from '@karvon/contract/lib/limits.ts'
import type { BotMessage } from '../../integrations/telegram/telegram.ts'
import {
  fillText,
  formatLocalAmount,
  formatLocalDateTime,
  formatLocalTime,
  type Text,
} from '../../platform/texts/texts.ts'
import { botCommands, botTexts, statusNames } from './notices.bot.texts.ts'

/** Who is linked to a chat. */
export interface BotPerson {
  userId: number
  roleId: number
  isAdmin: boolean
}

interface Today {
  leads: { time: string; leads: number; leads_before: number; approved: number; approved_before: number }
  /** Decimal texts. */
  earned: { currency: string; amount: string; before: string }[]
}
interface Balance {
  currency: string
  available: number
  on_hold: number
  requested: number
}
interface Parcel {
  orderno: string
  status_code: string
  status_title: string
  eventtime: string
  owner: string | null
}

/** Reads what the bot answers. Each function answers only what its person may see. */
export interface BotReader {
  readToday(person: BotPerson): Promise<Today>
  readBalances(person: BotPerson): Promise<Balance[]>
  findParcels(person: BotPerson, orderno: string): Promise<Parcel[]>
  currency: string
  timeZone: string
  moneyUrl: string | null
}

export interface CommandSender {
  person: BotPerson
  language: PersonLanguage
}

/** The list of commands. */
export function createHelp(language: PersonLanguage): BotMessage {
  const lines = Object.entries(botCommands).map(
    ([command, text]: [string, Text]) => `/${command} — ${fillText(text, language)}`,
  )
  return { text: [fillText(botTexts.help, language), ...lines].join('\n') }
}

/** The leads and earnings of today, against yesterday at the same time. */
export async function answerToday(
  reader: BotReader,
  { person, language }: CommandSender,
): Promise<BotMessage> {
  const { leads, earned } = await reader.readToday(person)
  const time = formatLocalTime(leads.time, language, reader.timeZone)
  const noEarnings = { currency: reader.currency, amount: '0', before: '0' }
  const lines = (earned.length === 0 ? [noEarnings] : earned).map(({ currency, amount, before }) =>
    fillText(botTexts.earned, language, {
      currency,
      amount: formatLocalAmount(amount, language),
      before: formatLocalAmount(before, language),
    }),
  )
  return { text: [fillText(botTexts.today, language, { ...leads, time }), ...lines].join('\n') }
}

/** The person's own balance in each currency, with the link to the screen. */
export async function answerBalance(
  reader: BotReader,
  { person, language }: CommandSender,
): Promise<BotMessage> {
  const noBalance = { currency: reader.currency, available: 0, on_hold: 0, requested: 0 }
  const balances = await reader.readBalances(person)
  const format = (amount: number) => formatLocalAmount(amount.toFixed(2), language)
  const parts = (balances.length === 0 ? [noBalance] : balances).map(
    ({ currency, available, on_hold, requested }) =>
      fillText(botTexts.balance, language, {
        currency,
        available: format(available),
        on_hold: format(on_hold),
        requested: format(requested),
      }),
  )
  return { text: [...parts, ...(reader.moneyUrl === null ? [] : [reader.moneyUrl])].join('\n\n') }
}

/** The status of a parcel. The answer for the parcel of another person is that for an unknown one. */
export async function answerFind(
  reader: BotReader,
  { person, language }: CommandSender,
  orderno: string,
): Promise<BotMessage> {
  if (orderno === '') return { text: fillText(botTexts.findWhat, language) }
  const isPossible = orderno.length <= maxLine && !orderno.includes('\0')
  const parcels = isPossible ? await reader.findParcels(person, orderno) : []
  if (parcels.length === 0) return { text: fillText(botTexts.notFound, language) }
  const lines = parcels.map((parcel) => {
    const text = fillText(botTexts.found, language, {
      orderno: parcel.orderno,
      status: nameStatus(parcel, language),
      time: formatLocalDateTime(parcel.eventtime, language, reader.timeZone),
    })
    return person.isAdmin && parcel.owner !== null ? `${text}\n${parcel.owner}` : text
  })
  return { text: lines.join('\n\n') }
}

/** The name of a parcel's status. Russian adds the courier's title, which is Russian. */
function nameStatus({ status_code, status_title }: Parcel, language: PersonLanguage): string {
  const text = statusNames[status_code]
  const name = text === undefined ? status_code : fillText(text, language)
  return language === 'ru' && status_title !== '' && status_title !== name ? `${name}: ${status_title}` : name
}
