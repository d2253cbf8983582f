import type { AuditEntry } from '@karvon/contract/audit/audit.ts'
import { Facts } from '../../components/display/timeline.tsx'
import { Modal } from '../../components/overlay/modal.tsx'
import { formatDateTime } from '../../lib/format/date-time.format.ts'
import { useSettings } from '../../lib/settings.store.ts'
import {
  formatAuditValue,
  getActionLabel,
  getChanges,
  getPerson,
  getSubject,
  listReferences,
  type Change,
  type ValueContext,
} from './audit.changes.ts'
import classes from './audit.module.css'
import { useRowNames } from './audit.names.hook.ts'
import { auditTexts as texts } from './audit.texts.ts'

/** Who made a change, and each field before and after. */
export function AuditDetail({ entry, onClose }: { entry: AuditEntry | null; onClose: () => void }) {
  const { time_zone: zone } = useSettings()
  const findName = useRowNames(listReferences(entry === null ? [] : [entry]), true)
  return (
    <Modal
      opened={entry !== null}
      title={
        entry === null
          ? texts.title
          : texts.detail({ action: getActionLabel(entry), what: getSubject(entry, findName) })
      }
      onClose={onClose}
      width={560}
    >
      {entry && <EntryFacts entry={entry} context={{ zone, findName }} />}
    </Modal>
  )
}

function EntryFacts({ entry, context }: { entry: AuditEntry; context: ValueContext }) {
  const { columns } = texts
  return (
    <Facts
      facts={[
        { name: columns.at, value: formatDateTime(entry.at, context.zone) },
        { name: columns.user, value: getPerson(entry) },
        ...getChanges(entry).map((change) => ({
          name: change.label,
          value: <Values change={change} context={context} />,
        })),
      ]}
    />
  )
}

function Values({ change: { key, before, after }, context }: { change: Change; context: ValueContext }) {
  return (
    <>
      {before !== undefined && <del className={classes.before}>{formatAuditValue(key, before, context)}</del>}
      {after !== undefined && <ins className={classes.after}>{formatAuditValue(key, after, context)}</ins>}
    </>
  )
}
