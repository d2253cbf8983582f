import type { LeadWithHistory } from '@karvon/contract/leads/leads.ts'
import { ErrorState } from '../../components/display/empty-state.tsx'
import { Skeleton } from '../../components/display/skeleton.tsx'
import { Facts, Timeline } from '../../components/display/timeline.tsx'
import { Modal } from '../../components/overlay/modal.tsx'
import { reasonOf } from '../../lib/http.ts'
import { LeadStateBadge } from './lead-state.tsx'
import { unmappedState } from './lead-state.texts.ts'
import { formatMoment } from '../../lib/format/moment.format.ts'
import { useFurtherRows } from '../../resources/further-rows.hook.ts'
import { ShowMore } from '../../resources/show-more.tsx'
import { useSettings } from '../../lib/settings.store.ts'
import { payoutOf } from './leads.columns.tsx'
import { leadChanges, useLead, type LeadScope } from './leads.query.ts'
import { leadDetailTexts as texts, leadTexts } from './leads.texts.ts'

type LeadDetailProps = { scope: LeadScope; id: string | undefined; onClose: () => void }

/** One lead with its history, in a modal above the list. */
export function LeadDetail({ scope, id, onClose }: LeadDetailProps) {
  const { data, error, isFetching, refetch } = useLead(scope, id)
  return (
    <Modal opened={id !== undefined} title={data?.external_id ?? texts.title} onClose={onClose} width={560}>
      {error && !isFetching ? (
        <ErrorState
          failure={{ message: texts.failed, reason: reasonOf(error) }}
          onRetry={() => void refetch()}
        />
      ) : data ? (
        <LeadFacts scope={scope} lead={data} />
      ) : (
        <Skeleton height={320} />
      )}
    </Modal>
  )
}

function LeadFacts({ scope, lead }: { scope: LeadScope; lead: LeadWithHistory }) {
  const { time_zone: zone, currency } = useSettings()
  const { facts: names } = texts
  const { none } = leadTexts
  const changes = useFurtherRows<Change>({
    call: leadChanges[scope],
    id: String(lead.id),
    rows: lead.history,
    total: lead.history_total,
  })
  const subs = Object.entries(lead.subs ?? {})
  return (
    <>
      <LeadStateBadge column={lead.column} status={lead.status} />
      <Facts
        facts={[
          { name: names.word, value: lead.word || none },
          { name: names.state, value: lead.by_word ? texts.byWord : texts.byHand },
          { name: names.payout, value: payoutOf(lead.payout, lead.currency, '') },
          { name: names.source, value: lead.source.name },
          { name: names.offer, value: lead.offer?.name ?? none },
          { name: names.stream, value: lead.stream?.name ?? none },
          { name: names.created, value: formatMoment(lead.created_at, zone) },
          { name: names.updated, value: formatMoment(lead.updated_at, zone) },
          ...(lead.comment ? [{ name: names.comment, value: lead.comment }] : []),
          ...subs.map(([name, value]) => ({ name, value: <span className="mono">{value}</span> })),
        ]}
      />
      <Timeline label={texts.history} events={eventsOf(changes.rows, lead.currency, zone, currency)} />
      <ShowMore
        of={changes}
        shown={texts.shownOf(changes.rows.length, changes.total)}
        texts={texts.showMore}
      />
    </>
  )
}

type Change = LeadWithHistory['history'][number]

/** Each change with what it changed beside the state: the word and the payout, where they differ from before. */
function eventsOf(
  history: readonly Change[],
  own: LeadWithHistory['currency'],
  zone: string,
  currency: string,
) {
  return history.map((change, index) => {
    const before: Change | undefined = history[index + 1]
    const origin = texts.origins[change.origin] ?? change.origin
    const parts = [
      formatMoment(change.recorded_at, zone),
      change.reason ? `${origin}: ${change.reason}` : origin,
      ...(before && before.payout !== change.payout
        ? [texts.payout(payoutOf(change.payout, own, currency))]
        : []),
    ]
    return {
      key: `${change.recorded_at} ${index}`,
      title: `${change.status?.name ?? unmappedState} · ${change.word || texts.saysNothing}`,
      note: parts.join(' · '),
    }
  })
}
