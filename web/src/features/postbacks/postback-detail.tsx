import { missingValue } from '../../lib/format/missing.ts'
import { useId } from 'react'
import { isReplayable, type Postback } from '@karvon/contract/postbacks/postbacks.ts'
import { Facts } from '../../components/display/timeline.tsx'
import { Modal } from '../../components/overlay/modal.tsx'
import { formatDateTime } from '../../lib/format/date-time.format.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { LeadIdLink, OutcomeBadge, formatReason } from './postbacks.columns.tsx'
import classes from './postbacks.module.css'
import { postbackTexts as texts } from './postbacks.texts.ts'
import { ReplayButton } from './replay-button.tsx'

type PostbackDetailProps = {
  postback: Postback | null
  onReplay: (updated: Postback) => void
  onClose: () => void
}

/** One postback request: its parameters and its result. */
export function PostbackDetail({ postback, onReplay, onClose }: PostbackDetailProps) {
  return (
    <Modal
      opened={postback !== null}
      title={postback?.external_id ?? texts.detail}
      onClose={onClose}
      width={560}
      footer={
        postback && isReplayable(postback.reason) ? (
          <ReplayButton postback={postback} onReplay={onReplay} />
        ) : undefined
      }
    >
      {postback && <PostbackFacts postback={postback} />}
    </Modal>
  )
}

function PostbackFacts({ postback }: { postback: Postback }) {
  const { time_zone: zone } = useSettings()
  const id = useId()
  const { facts: names, columns } = texts
  const params = Object.entries(postback.params)
  return (
    <>
      <OutcomeBadge outcome={postback.outcome} />
      <Facts
        facts={[
          ...(postback.reason ? [{ name: columns.reason, value: formatReason(postback) }] : []),
          ...(postback.detail ? [{ name: names.answer, value: postback.detail }] : []),
          { name: names.at, value: formatDateTime(postback.at, zone) },
          { name: names.from, value: formatSender(postback) },
          { name: names.source, value: postback.source?.name ?? missingValue },
          ...(postback.replayed_at
            ? [{ name: names.replayed, value: formatDateTime(postback.replayed_at, zone) }]
            : []),
          ...(postback.lead_id === null
            ? []
            : [{ name: columns.lead, value: <LeadIdLink id={postback.lead_id} /> }]),
        ]}
      />
      <section aria-labelledby={id} className={classes.params}>
        <h3 id={id}>{texts.params}</h3>
        {params.length === 0 ? (
          <p>{texts.noParams}</p>
        ) : (
          <Facts
            facts={params.map(([name, value]) => ({ name, value: <span className="mono">{value}</span> }))}
          />
        )}
      </section>
    </>
  )
}

const formatSender = ({ method, address }: Postback): string =>
  address === null ? method : texts.from({ method, address })
