import { balanceParts, listOwnEntries } from '@karvon/contract/payouts/statements.ts'
import { createOptions } from '../../components/fields/options.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { logPage } from '../../resources/log-page.tsx'
import { formatCause } from '../ledger/ledger.names.ts'
import { AvailableSums } from './available-sums.tsx'
import { ownEntryTexts as texts } from './money.texts.ts'
import { createOwnEntryColumns } from './own-entries.columns.tsx'

const { filters } = texts

const OwnEntryList = logPage({
  call: listOwnEntries,
  key: queryKeys.ownEntries,
  name: 'history',
  pageSize: 20,
  texts,
  filters: [
    {
      name: 'part',
      options: createOptions(balanceParts, texts.parts),
      ...filters.part,
    },
    { name: 'currency', formatValue: String, ...filters.currency },
    { name: 'statement_id', formatValue: (id) => `#${id}`, ...filters.statement },
    'period',
  ],
  createColumns: createOwnEntryColumns,
  rowKey: ({ id }) => String(id),
  rowLabel: formatCause,
})

/** What was earned and paid, an entry for each change. */
export function OwnEntriesPage() {
  return (
    <>
      <AvailableSums />
      <OwnEntryList />
    </>
  )
}
