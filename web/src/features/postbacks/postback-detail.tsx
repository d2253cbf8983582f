import { useId } from 'react'
import type { Postback } from '@karvon/contract/postbacks/postbacks.ts'
import { Facts } from '../../components/display/timeline.tsx'
import { speak } from '../../lib/i18n/language.ts'
import { Modal } from '../../components/overlay/modal.tsx'
import { formatMoment } from '../../lib/format/moment.format.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { LeadLink, OutcomeBadge, reasonText } from './postbacks.columns.tsx'
import classes from './postbacks.module.css'
import { postbackTexts as texts } from './postbacks.texts.ts'
import { canReplay, ReplayButton } from './replay-button.tsx'

type PostbackDetailProps = {
  of: Postback | null
  onReplayed: (now: Postback) => void
  onClose: () => void
}

/** What a hit carried and how it went. */
export function PostbackDetail({ of, onReplayed, onClose }: PostbackDetailProps) {
  return (
    <Modal
      opened={of !== null}
      title={of?.external_id ?? texts.detail}
      onClose={onClose}
      width={560}
      footer={of && canReplay(of) ? <ReplayButton of={of} onReplayed={onReplayed} /> : undefined}
    >
      {of && <PostbackFacts of={of} />}
    </Modal>
  )
}

function PostbackFacts({ of }: { of: Postback }) {
  const { time_zone: zone } = useSettings()
  const id = useId()
  const { facts: names, columns } = texts
  const params = Object.entries(of.params)
  return (
    <>
      <OutcomeBadge of={of.outcome} />
      <Facts
        facts={[
          ...(of.reason ? [{ name: columns.reason, value: reasonText(of) }] : []),
          ...(of.detail ? [{ name: names.answer, value: speak(of.detail) }] : []),
          { name: names.at, value: formatMoment(of.at, zone) },
          { name: names.from, value: texts.from(of.method, of.address) },
          { name: names.source, value: of.source?.name ?? texts.none },
          ...(of.replayed_at ? [{ name: names.replayed, value: formatMoment(of.replayed_at, zone) }] : []),
          ...(of.lead_id === null ? [] : [{ name: columns.lead, value: <LeadLink id={of.lead_id} /> }]),
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
