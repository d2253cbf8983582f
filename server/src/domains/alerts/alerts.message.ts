import { nameCurrencies } from '@karvon/contract/lib/currency-names.ts'
import { cutText } from '@karvon/contract/lib/cut-text.ts'
import type { PersonLanguage } from '@karvon/contract/lib/language.ts'
import { maxAlertLines } from '@karvon/contract/lib/limits.ts'
import type { Db } from '../../platform/database/pool.ts'
import { fillText, formatLocalAmount, toLine } from '../../platform/texts/texts.ts'
import { readAmountCurrencies } from './alerts.currencies.queries.ts'
import { daysWithoutData } from './alerts.incidents.queries.ts'
import { isBeginInFlight, readNoticeAlerts, type NoticeAlert } from './alerts.message.queries.ts'
import { alertBeginTexts, alertEndTexts, alertTexts, metricTexts, periodTexts } from './alerts.texts.ts'

/** A longer name is cut, so that all lines of a message fit into it. */
const maxSubject = 100
/** Of the currencies of an amount. */
const maxUnit = 40

interface MessageOptions {
  language: PersonLanguage
  currency: string
  /** The address of the alerts in the web; null if it is not known. */
  alertsUrl: string | null
}

/**
 * Composes the message of a notice at the moment of its sending. `wait`: the message of a begin is being
 * sent, so this one must wait. `nothing`: all its incidents have ended, or its person no longer gets them.
 */
export async function composeAlertNotice(
  db: Db,
  noticeId: number,
  options: MessageOptions,
): Promise<{ text: string } | 'wait' | 'nothing'> {
  if (await isBeginInFlight(db, noticeId)) return 'wait'
  const alerts = await readNoticeAlerts(db, noticeId)
  if (alerts.length === 0) return 'nothing'
  const parts: string[] = []
  for (const isEnd of [false, true]) {
    const sectionAlerts = alerts.filter((alert) => alert.isEnd === isEnd)
    if (sectionAlerts.length > 0) parts.push(await formatSection(db, sectionAlerts, { isEnd, ...options }))
  }
  if (options.alertsUrl !== null) parts.push(options.alertsUrl)
  return { text: parts.join('\n\n') }
}

/** Formats the begins or the ends of a message. */
async function formatSection(
  db: Db,
  alerts: readonly NoticeAlert[],
  { isEnd, language, currency }: MessageOptions & { isEnd: boolean },
): Promise<string> {
  const lines = [fillText(isEnd ? alertTexts.ended : alertTexts.began, language)]
  for (const alert of alerts.slice(0, maxAlertLines)) {
    const unit = isEnd ? '' : await readUnit(db, alert, currency)
    lines.push(`• ${formatAlert(alert, language, unit)}`)
  }
  const rest = alerts.length - maxAlertLines
  if (rest > 0) lines.push(fillText(alertTexts.more, language, { count: rest }))
  return lines.join('\n')
}

/** The currencies of the amount of an alert. Those of a rule about money are named unless all are the main one. */
async function readUnit(db: Db, { kind, incidentId }: NoticeAlert, mainCurrency: string): Promise<string> {
  const codes = await readAmountCurrencies(db, incidentId, mainCurrency)
  if (kind === 'money_difference') return codes.join('')
  return cutText(nameCurrencies(codes, mainCurrency), maxUnit)
}

function formatAlert(
  { isEnd, hasNoData, kind, subject: name, value, base, threshold, metric, period, against }: NoticeAlert,
  language: PersonLanguage,
  unit: string,
): string {
  const subject = cutText(toLine(name), maxSubject)
  if (isEnd && hasNoData) return fillText(alertTexts.noData, language, { subject, days: daysWithoutData })
  if (isEnd) return fillText(alertEndTexts[kind], language, { subject })
  const text = alertBeginTexts[kind === 'metric' && against === 'history' ? 'metric_history' : kind]
  const number = (decimal: string | null) => (decimal === null ? '' : formatLocalAmount(decimal, language))
  return fillText(text, language, {
    subject,
    value: number(value),
    amount: number(value),
    base: number(base),
    threshold: number(threshold),
    currency: unit,
    duration: formatDuration(Math.max(0, Number(value)), language),
    metric:
      metric === null
        ? ''
        : [fillText(metricTexts[metric], language), unit].filter((part) => part !== '').join(', '),
    period: period === null ? '' : fillText(periodTexts[period], language),
  })
}

/** A number of minutes: "45 min", "3 h 5 min", "2 d 4 h". */
function formatDuration(minutes: number, language: PersonLanguage): string {
  const hours = Math.floor(minutes / 60)
  if (hours === 0) return fillText(alertTexts.minutes, language, { minutes })
  if (hours < 48) return fillText(alertTexts.hours, language, { hours, minutes: minutes % 60 })
  return fillText(alertTexts.days, language, { days: Math.floor(hours / 24), hours: hours % 24 })
}
