import { Link } from '@tanstack/react-router'
import type { SettlementAct } from '@karvon/contract/settlements/settlements.ts'
import { Facts } from '../../components/display/timeline.tsx'
import { Modal } from '../../components/overlay/modal.tsx'
import { formatAmount } from '../../lib/format/money.format.ts'
import { createActColumns } from './acts.columns.tsx'
import { actTexts as texts } from './settlements.texts.ts'

/** An act with all its sums, and what stands behind them. */
export function ActDetail({ act, onClose }: { act: SettlementAct | null; onClose: () => void }) {
  return (
    <Modal opened={act !== null} title={act ? texts.one({ number: act.number }) : ''} onClose={onClose}>
      {act && <ActFacts act={act} />}
    </Modal>
  )
}

function ActFacts({ act }: { act: SettlementAct }) {
  const { columns } = texts
  return (
    <Facts
      facts={[
        ...createActColumns().map(({ header, cell }) => ({ name: header, value: cell(act) })),
        { name: columns.correction, value: formatAmount(act.correction, act.currency) },
        { name: columns.pay_type, value: act.pay_type ?? texts.none },
        { name: columns.entries, value: <EntriesLink act={act} /> },
      ]}
    />
  )
}

function EntriesLink({ act: { courier_account_id: id, currency } }: { act: SettlementAct }) {
  return (
    <Link to="/settlements" search={{ tab: 'entries', kind: 'courier', ref_id: String(id), currency }}>
      {texts.showEntries}
    </Link>
  )
}
