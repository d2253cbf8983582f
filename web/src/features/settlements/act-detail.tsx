import { Link } from '@tanstack/react-router'
import type { SettlementAct } from '@karvon/contract/settlements/settlements.ts'
import { Facts, Sums } from '../../components/display/timeline.tsx'
import { Modal } from '../../components/overlay/modal.tsx'
import { formatDateTime } from '../../lib/format/date-time.format.ts'
import { formatDay } from '../../lib/format/day.format.ts'
import { formatAmount } from '../../lib/format/money.format.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { DifferenceCount } from './acts.columns.tsx'
import { LinesLink } from './settlements.cells.tsx'
import { formatNumber } from '../../lib/format/number.format.ts'
import classes from './settlements.module.css'
import { actTexts as texts } from './settlements.texts.ts'
import { VoidAct } from './void-act.tsx'

/** An act with all its sums and their details. */
export function ActDetail({ act, onClose }: { act: SettlementAct | null; onClose: () => void }) {
  return (
    <Modal opened={act !== null} title={act ? texts.one({ number: act.number }) : ''} onClose={onClose}>
      {act && (
        <div className={classes.detail}>
          <ActFacts act={act} />
          {(act.code === null || act.unlisted_at) && act.voided_at === null && (
            <VoidAct key={act.id} act={act} onVoided={onClose} />
          )}
        </div>
      )}
    </Modal>
  )
}

function ActFacts({ act }: { act: SettlementAct }) {
  const { columns } = texts
  const { time_zone: zone } = useSettings()
  const format = (amount: number) => formatAmount(amount, act.currency)
  return (
    <>
      <Facts
        facts={[
          { name: columns.act_date, value: formatDay(act.act_date) },
          { name: columns.courier_account, value: act.courier_account.name },
          { name: columns.pay_type, value: formatPayType(act.pay_type) },
          act.voided_at === null
            ? { name: columns.paid_at, value: act.paid_at === null ? texts.unpaid : formatDay(act.paid_at) }
            : { name: columns.voided_at, value: formatDateTime(act.voided_at, zone) },
          ...(act.unlisted_at
            ? [{ name: columns.unlisted_at, value: formatDateTime(act.unlisted_at, zone) }]
            : []),
          {
            name: columns.lines,
            value: <LinesLink scope="all" actId={act.id} text={formatNumber(act.lines)} />,
          },
          { name: columns.differences, value: <DifferenceCount act={act} /> },
          { name: columns.entries, value: <EntriesLink act={act} /> },
        ]}
      />
      <Sums
        label={texts.sums}
        sums={[
          { name: columns.collected, value: format(act.collected) },
          { name: columns.fees, value: format(-act.fees) },
          { name: columns.correction, value: format(-act.correction) },
          { name: columns.due, value: format(act.due), isTotal: true },
          { name: columns.paid, value: format(act.paid) },
          { name: columns.difference, value: format(act.difference) },
        ]}
      />
    </>
  )
}

/** The courier may also send a text of its own. */
const formatPayType = (type: string | null): string => texts.payTypes[type ?? ''] ?? type ?? texts.none

function EntriesLink({ act: { courier_account_id: id, currency } }: { act: SettlementAct }) {
  return (
    <Link to="/settlements" search={{ tab: 'entries', kind: 'courier', ref_id: String(id), currency }}>
      {texts.showEntries}
    </Link>
  )
}
