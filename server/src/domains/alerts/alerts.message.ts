import { cutText } from '@karvon/contract/lib/cut-text.ts'
import type { PersonLanguage } from '@karvon/contract/lib/language.ts'
import { maxAlertLines } from '@karvon/contract/lib/limits.ts'
import type { Db } from '../../platform/database/pool.ts'
import { fillText, formatLocalAmount, toLine } from '../../platform/texts/texts.ts'
import { isBeginInFlight, readNoticeAlerts, type NoticeAlert } from './alerts.message.queries.ts'
import { alertBeginTexts, alertEndTexts, alertTexts, metricTexts, periodTexts } from './alerts.texts.ts'

/** A longer name is cut, so that all lines of a message fit into it. */
const maxSubject = 100

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
  return { text: formatAlerts(alerts, options) }
}

function formatAlerts(
  alerts: readonly NoticeAlert[],
  { language, currency, alertsUrl }: MessageOptions,
): string {
  const format = (alert: NoticeAlert) => formatAlert(alert, language, currency)
  const section = (isEnd: boolean): string[] => {
    const lines = alerts.filter((alert) => alert.isEnd === isEnd)
    if (lines.length === 0) return []
    const rest = lines.length - maxAlertLines
    return [
      fillText(isEnd ? alertTexts.ended : alertTexts.began, language),
      ...lines.slice(0, maxAlertLines).map((alert) => `• ${format(alert)}`),
      ...(rest > 0 ? [fillText(alertTexts.more, language, { count: rest })] : []),
    ]
  }
  const parts = [section(false), section(true)].filter((lines) => lines.length > 0)
  const text = parts.map((lines) => lines.join('\n')).join('\n\n')
  return alertsUrl === null ? text : `${text}\n\n${alertsUrl}`
}

function formatAlert(
  { isEnd, kind, subject: name, value, base, threshold, metric, period, against }: NoticeAlert,
  language: PersonLanguage,
  currency: string,
): string {
  const subject = cutText(toLine(name), maxSubject)
  if (isEnd) return fillText(alertEndTexts[kind], language, { subject })
  const text = alertBeginTexts[kind === 'metric' && against === 'history' ? 'metric_history' : kind]
  const number = (decimal: string | null) => (decimal === null ? '' : formatLocalAmount(decimal, language))
  return fillText(text, language, {
    subject,
    value: number(value),
    amount: number(value),
    base: number(base),
    threshold: number(threshold),
    currency,
    duration: formatDuration(Math.max(0, Number(value)), language),
    metric: metric === null ? '' : fillText(metricTexts[metric], language),
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
