import { nameCurrencies } from '@karvon/contract/lib/currency-names.ts'
import { composeAlertNotice } from '../domains/alerts/alerts.message.ts'
import type { ComposeAlerts, NoticeReaders } from '../domains/notices/notices.jobs.ts'
import type { Deps } from '../platform/deps.ts'
import { queryOneRow } from '../resources/lists.answer.ts'
import type { DigestFigures, ReadDigestFigures } from '../domains/notices/notices.digest.ts'
import { buildFiguresStatement } from '../domains/reports/reports.queries.ts'

/** A person's figures of some days, as their own report has them. */
export const createFiguresReader =
  ({ pool, config }: Deps): ReadDigestFigures =>
  async (person, days) => {
    const report = { groupBy: 'source_id', nameTable: 'cpa_sources', defaultSort: '-leads' } as const
    const query = { start_date: days.from, end_date: days.to }
    const statement = buildFiguresStatement(report, query, { range: { offset: 0, size: 1 }, viewer: person })
    const { totals, currencies } = await queryOneRow<{
      totals: Omit<DigestFigures, 'unit'>
      currencies: string[]
    }>(pool, statement)
    return { ...totals, unit: nameCurrencies(currencies, config.currency) }
  }

/** The text of a notice about alerts, with the address of the alerts in the web. */
const createAlertComposer =
  ({ db, config: { currency, publicUrl } }: Deps): ComposeAlerts =>
  async (noticeId, language) => {
    const alertsUrl = publicUrl === undefined ? null : `${publicUrl}/alerts`
    return composeAlertNotice(db, noticeId, { language, currency, alertsUrl })
  }

/** What notices read of other domains. */
export const createNoticeReaders = (deps: Deps): NoticeReaders => ({
  figuresOf: createFiguresReader(deps),
  composeAlerts: createAlertComposer(deps),
})
