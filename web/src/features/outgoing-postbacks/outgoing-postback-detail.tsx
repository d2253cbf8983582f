import type { OutgoingPostback } from '@karvon/contract/outgoing-postbacks/outgoing-postbacks.ts'
import { Facts } from '../../components/display/timeline.tsx'
import { Modal } from '../../components/overlay/modal.tsx'
import { LeadStateBadge } from '../leads/lead-state.tsx'
import { formatMoment } from '../../lib/format/moment.format.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { LeadLink, SendingBadge } from './outgoing-postbacks.columns.tsx'
import { outgoingTexts as texts } from './outgoing-postbacks.texts.ts'
import { canRetry, RetryButton } from './retry-button.tsx'

type OutgoingDetailProps = {
  of: OutgoingPostback | null
  onRetried: (now: OutgoingPostback) => void
  onClose: () => void
}

/** What a tracker was told of a lead, and how the telling went. */
export function OutgoingDetail({ of, onRetried, onClose }: OutgoingDetailProps) {
  return (
    <Modal
      opened={of !== null}
      title={of?.lead.external_id ?? ''}
      onClose={onClose}
      width={560}
      footer={of && canRetry(of) ? <RetryButton of={of} onRetried={onRetried} /> : undefined}
    >
      {of && <OutgoingFacts of={of} />}
    </Modal>
  )
}

function OutgoingFacts({ of }: { of: OutgoingPostback }) {
  const { time_zone: zone } = useSettings()
  const { columns, facts: names, none } = texts
  const moment = (time: string | null) => (time === null ? none : formatMoment(time, zone))
  return (
    <>
      <SendingBadge status={of.status} />
      <Facts
        facts={[
          { name: columns.template, value: of.template?.name ?? none },
          { name: columns.lead, value: <LeadLink lead={of.lead} /> },
          {
            name: columns.state,
            value: of.state === null ? texts.noState : <LeadStateBadge column={of.state} />,
          },
          { name: names.word, value: of.word || none },
          { name: columns.url, value: of.url === null ? none : <span className="mono">{of.url}</span> },
          { name: columns.attempts, value: of.attempts },
          { name: columns.answer, value: of.answer === null ? none : texts.answered(of.answer) },
          ...(of.last_error === null ? [] : [{ name: names.error, value: of.last_error }]),
          { name: columns.created_at, value: formatMoment(of.created_at, zone) },
          ...(of.status === 'queued' ? [{ name: names.next, value: moment(of.next_at) }] : []),
          { name: names.sent, value: moment(of.sent_at) },
        ]}
      />
    </>
  )
}
