import { missingValue } from '../../lib/format/missing.ts'
import type { LeadWithHistory } from '@karvon/contract/leads/leads.ts'
import { Skeleton } from '../../components/display/skeleton.tsx'
import { Facts, Timeline } from '../../components/display/timeline.tsx'
import { Modal } from '../../components/overlay/modal.tsx'
import { LeadStatusBadge } from './lead-status.tsx'
import { leadStatusTexts } from './lead-status.texts.ts'
import { formatDateTime } from '../../lib/format/date-time.format.ts'
import { useHistory } from '../../resources/history.query.ts'
import { QueryContent } from '../../resources/query-content.tsx'
import { ShowMore } from '../../resources/show-more.tsx'
import { useSettings } from '../../lib/settings.store.ts'
import { formatPayout } from './leads.columns.tsx'
import { listLeadChangesCalls, useLead, type LeadScope } from './leads.query.ts'
import { leadDetailTexts as texts } from './lead-detail.texts.ts'

type LeadDetailProps = { scope: LeadScope; id: string | undefined; onClose: () => void }

/** One lead with its history, in a modal above the list. */
export function LeadDetail({ scope, id, onClose }: LeadDetailProps) {
  const query = useLead(scope, id)
  return (
    <Modal
      opened={id !== undefined}
      title={query.data?.external_id ?? texts.title}
      onClose={onClose}
      width={560}
    >
      <QueryContent query={query} loadFailed={texts.failed} placeholder={<Skeleton height={320} />}>
        {(lead) => <LeadFacts scope={scope} lead={lead} />}
      </QueryContent>
    </Modal>
  )
}

function LeadFacts({ scope, lead }: { scope: LeadScope; lead: LeadWithHistory }) {
  const { time_zone: zone, currency } = useSettings()
  const { facts: names } = texts
  const changes = useHistory<LeadChange>({
    call: listLeadChangesCalls[scope],
    id: String(lead.id),
    rows: lead.history,
    total: lead.history_total,
  })
  const subs = Object.entries(lead.subs ?? {})
  return (
    <>
      <LeadStatusBadge column={lead.column} status={lead.status} />
      <Facts
        facts={[
          { name: names.sourceStatus, value: lead.source_status || missingValue },
          { name: names.state, value: lead.is_status_overridden ? texts.byHand : texts.bySource },
          { name: names.payout, value: formatPayout(lead.payout, lead.currency, '') },
          { name: names.source, value: lead.source.name },
          { name: names.offer, value: lead.offer?.name ?? missingValue },
          { name: names.stream, value: lead.stream?.name ?? missingValue },
          { name: names.created, value: formatDateTime(lead.created_at, zone) },
          { name: names.updated, value: formatDateTime(lead.updated_at, zone) },
          ...(lead.region ? [{ name: names.region, value: lead.region }] : []),
          ...(lead.cancel_reason ? [{ name: names.cancelReason, value: lead.cancel_reason }] : []),
          ...(lead.comment ? [{ name: names.comment, value: lead.comment }] : []),
          ...subs.map(([name, value]) => ({ name, value: <span className="mono">{value}</span> })),
        ]}
      />
      <Timeline
        label={texts.history}
        events={createTimelineEvents(changes.rows, { leadCurrency: lead.currency, zone, currency })}
      />
      <ShowMore
        history={changes}
        shown={texts.shownOf({ shown: changes.rows.length, total: changes.total })}
        texts={texts.showMore}
      />
    </>
  )
}

type LeadChange = LeadWithHistory['history'][number]

/** Older changes may have no currency. */
const isMoneyChanged = (before: LeadChange, change: LeadChange) =>
  before.payout !== change.payout ||
  (before.currency ?? change.currency) !== (change.currency ?? before.currency)

/**
 * The timeline events of a lead. Each shows the status, the source status, and the payout where it changed.
 */
function createTimelineEvents(
  history: readonly LeadChange[],
  {
    leadCurrency,
    zone,
    currency,
  }: { leadCurrency: LeadWithHistory['currency']; zone: string; currency: string },
) {
  return history.map((change, index) => {
    const before: LeadChange | undefined = history[index + 1]
    const origin = texts.origins[change.origin] ?? change.origin
    const parts = [
      formatDateTime(change.recorded_at, zone),
      change.reason ? `${origin}: ${change.reason}` : origin,
      ...(before && isMoneyChanged(before, change)
        ? [texts.payout({ amount: formatPayout(change.payout, change.currency ?? leadCurrency, currency) })]
        : []),
    ]
    return {
      key: `${change.recorded_at} ${index}`,
      title: `${change.status?.name ?? leadStatusTexts.none} · ${change.source_status || texts.noSourceStatus}`,
      note: parts.join(' · '),
    }
  })
}
