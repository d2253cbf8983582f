import { missingValue } from '../../lib/format/missing.ts'
import type { OutgoingPostback } from '@karvon/contract/outgoing-postbacks/outgoing-postbacks.ts'
import { Facts } from '../../components/display/timeline.tsx'
import { Modal } from '../../components/overlay/modal.tsx'
import { LeadStatusBadge } from '../leads/lead-status.tsx'
import { formatDateTime } from '../../lib/format/date-time.format.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { LeadNameLink, OutgoingStatusBadge } from './outgoing-postbacks.columns.tsx'
import { outgoingTexts as texts } from './outgoing-postbacks.texts.ts'
import { canRetry, RetryPostbackButton } from './retry-button.tsx'

type OutgoingDetailProps = {
  postback: OutgoingPostback | null
  onRetry: (updated: OutgoingPostback) => void
  onClose: () => void
}

/** One outgoing postback: what was sent to the tracker, and the result. */
export function OutgoingPostbackDetail({ postback, onRetry, onClose }: OutgoingDetailProps) {
  return (
    <Modal
      opened={postback !== null}
      title={postback?.lead.external_id ?? ''}
      onClose={onClose}
      width={560}
      footer={
        postback && canRetry(postback) ? (
          <RetryPostbackButton postback={postback} onRetry={onRetry} />
        ) : undefined
      }
    >
      {postback && <OutgoingFacts postback={postback} />}
    </Modal>
  )
}

function OutgoingFacts({ postback }: { postback: OutgoingPostback }) {
  const { time_zone: zone } = useSettings()
  const { columns, facts: names } = texts
  const formatTime = (time: string | null) => (time === null ? missingValue : formatDateTime(time, zone))
  return (
    <>
      <OutgoingStatusBadge status={postback.status} />
      <Facts
        facts={[
          { name: columns.template, value: postback.template?.name ?? missingValue },
          { name: columns.lead, value: <LeadNameLink lead={postback.lead} /> },
          {
            name: columns.state,
            value: postback.state === null ? texts.noState : <LeadStatusBadge column={postback.state} />,
          },
          { name: names.sourceStatus, value: postback.source_status || missingValue },
          {
            name: columns.url,
            value: postback.url === null ? missingValue : <span className="mono">{postback.url}</span>,
          },
          { name: columns.attempts, value: postback.attempts },
          {
            name: columns.answer,
            value: postback.answer === null ? missingValue : texts.answered({ status: postback.answer }),
          },
          ...(postback.last_error === null ? [] : [{ name: names.error, value: postback.last_error }]),
          { name: columns.created_at, value: formatDateTime(postback.created_at, zone) },
          ...(postback.status === 'queued'
            ? [{ name: names.next, value: formatTime(postback.next_at) }]
            : []),
          { name: names.sent, value: formatTime(postback.sent_at) },
        ]}
      />
    </>
  )
}
