import { Link } from '@tanstack/react-router'
import type { LedgerEntry } from '@karvon/contract/ledger/ledger.ts'
import type { CauseType } from '@karvon/contract/lib/money.ts'
import type { Feature } from '@karvon/contract/lib/features.ts'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { useFeature } from '../../lib/settings.store.ts'
import type { ListSearch } from '../../lib/table-state.ts'
import { formatActLine, formatCause } from './ledger.names.ts'

interface CausePage {
  readonly to: string
  readonly feature: Feature
  readonly getSearch: (id: string) => ListSearch
}

/** Where admins see the row that an entry was posted for. */
const causePages: Readonly<Partial<Record<CauseType, CausePage>>> = {
  lead: { to: '/leads', feature: 'leads', getSearch: (id) => ({ id }) },
  withdrawal: { to: '/settlements', feature: 'payouts', getSearch: (id) => ({ withdrawal_id: id }) },
  settlement_act: {
    to: '/settlements',
    feature: 'settlements',
    getSearch: (id) => ({ tab: 'acts', act_id: id }),
  },
  adjustment: {
    to: '/audit',
    feature: 'audit',
    getSearch: (id) => ({ resource: 'ledger-adjustments', row_id: id }),
  },
}

/** The cause of an entry, with a link to its row where a page shows it. */
export function CauseLink({ entry }: { entry: LedgerEntry }) {
  const page = causePages[entry.cause_type]
  const isShown = useFeature(page?.feature)
  const hasActs = useFeature('settlements')
  const { act_id: actId, orderno } = entry
  if (actId !== null && orderno !== null && hasActs)
    return (
      <Link to="/settlements" search={{ tab: 'acts', act_id: String(actId), search: orderno }}>
        <TruncatedText text={formatActLine(orderno)} />
      </Link>
    )
  const label = formatCause(entry)
  if (page === undefined || !isShown) return label
  return (
    <Link to={page.to} search={page.getSearch(String(entry.cause_id))}>
      {label}
    </Link>
  )
}
