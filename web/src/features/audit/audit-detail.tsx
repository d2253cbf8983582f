import type { AuditEntry } from '@karvon/contract/audit/audit.ts'
import { Facts } from '../../components/display/timeline.tsx'
import { Modal } from '../../components/overlay/modal.tsx'
import { formatDateTime } from '../../lib/format/date-time.format.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { getActionLabel, getChanges, getPerson, getSubject, type Change } from './audit.changes.ts'
import classes from './audit.module.css'
import { auditTexts as texts } from './audit.texts.ts'

/** Who made a change, and each field before and after. */
export function AuditDetail({ entry, onClose }: { entry: AuditEntry | null; onClose: () => void }) {
  const { time_zone: zone } = useSettings()
  const { columns } = texts
  return (
    <Modal
      opened={entry !== null}
      title={
        entry === null
          ? texts.title
          : texts.detail({ action: getActionLabel(entry), what: getSubject(entry) })
      }
      onClose={onClose}
      width={560}
    >
      {entry && (
        <Facts
          facts={[
            { name: columns.at, value: formatDateTime(entry.at, zone) },
            { name: columns.user, value: getPerson(entry) },
            ...getChanges(entry).map((change) => ({ name: change.field, value: <Values change={change} /> })),
          ]}
        />
      )}
    </Modal>
  )
}

function Values({ change: { before, after } }: { change: Change }) {
  return (
    <>
      {before !== undefined && <del className={classes.before}>{before}</del>}
      {after !== undefined && <ins className={classes.after}>{after}</ins>}
    </>
  )
}
