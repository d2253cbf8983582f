import type { AuditEntry } from '@karvon/contract/audit/audit.ts'
import { Facts } from '../../components/display/timeline.tsx'
import { Modal } from '../../components/overlay/modal.tsx'
import { formatMoment } from '../../lib/format/moment.format.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { actionOf, changesOf, personOf, subjectOf, type Change } from './audit.changes.ts'
import classes from './audit.module.css'
import { auditTexts as texts } from './audit.texts.ts'

/** Who did it, and each field before and after. */
export function AuditDetail({ of, onClose }: { of: AuditEntry | null; onClose: () => void }) {
  const { time_zone: zone } = useSettings()
  const { columns } = texts
  return (
    <Modal
      opened={of !== null}
      title={of === null ? texts.title : texts.detail(actionOf(of), subjectOf(of))}
      onClose={onClose}
      width={560}
    >
      {of && (
        <Facts
          facts={[
            { name: columns.at, value: formatMoment(of.at, zone) },
            { name: columns.user, value: personOf(of) },
            ...changesOf(of).map((each) => ({ name: each.field, value: <Values of={each} /> })),
          ]}
        />
      )}
    </Modal>
  )
}

function Values({ of: { before, after } }: { of: Change }) {
  return (
    <>
      {before !== undefined && <del className={classes.before}>{before}</del>}
      {after !== undefined && <ins className={classes.after}>{after}</ins>}
    </>
  )
}
