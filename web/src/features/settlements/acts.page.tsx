import { lazy } from 'react'
import { useSearch } from '@tanstack/react-router'
import {
  importSettlements,
  listOwnSettlements,
  listSettlements,
} from '@karvon/contract/settlements/settlements.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import type { ListSearch } from '../../lib/table-state.ts'
import { ImportButton } from '../../resources/imports/import-button.tsx'
import { createFlagFilter } from '../../resources/list-filters.tsx'
import { logPage } from '../../resources/log-page.tsx'
import { resourceOptions } from '../../resources/reference-options.ts'
import { ActLines } from './act-lines.tsx'
import { createActColumns, createOwnActColumns } from './acts.columns.tsx'
import { actTexts as texts } from './settlements.texts.ts'

const ActDetail = lazy(async () => ({ default: (await import('./act-detail.tsx')).ActDetail }))

const { filters } = texts

const sharedOptions = {
  name: 'settlement-acts',
  pageSize: 20,
  rowKey: ({ id }: { id: number }) => String(id),
  rowLabel: ({ number }: { number: string }) => texts.one({ number }),
  lines: 2 as const,
}

/** An imported file has the acts of one courier account. */
const actOwner = {
  field: 'courier_account_id',
  resource: 'courier-accounts',
  label: texts.columns.courier_account,
  loadFailed: texts.accountsFailed,
}

const ActImport = () => <ImportButton call={importSettlements} name="settlement-acts" owner={actOwner} />

const ActList = logPage({
  ...sharedOptions,
  call: listSettlements,
  key: queryKeys.settlementActs('all'),
  texts,
  filters: [
    {
      name: 'courier_account_id',
      optionSource: resourceOptions('courier-accounts'),
      ...filters.account,
    },
    createFlagFilter('is_paid', filters.paid),
    createFlagFilter('has_differences', filters.differences),
    createFlagFilter('is_unlisted', filters.unlisted),
    'period',
  ],
  createColumns: createActColumns,
  Actions: ActImport,
  renderDetail: (openedAct, setOpenedAct) => <ActDetail act={openedAct} onClose={() => setOpenedAct(null)} />,
})

const OwnActList = logPage({
  ...sharedOptions,
  call: listOwnSettlements,
  key: queryKeys.settlementActs('own'),
  texts: { title: texts.title, loadFailed: texts.loadFailed, empty: texts.empty },
  filters: [createFlagFilter('is_paid', filters.paid), 'period'],
  createColumns: createOwnActColumns,
})

/** The act of the URL, whose lines are shown instead of the list. */
function useActId(): string | undefined {
  const { act_id: id }: ListSearch = useSearch({ strict: false })
  return id === undefined || !/^\d{1,15}$/.test(String(id)) ? undefined : String(id)
}

/** The settlement acts of the courier, or the lines of one. */
export function SettlementActsPage() {
  const id = useActId()
  return id === undefined ? <ActList /> : <ActLines key={id} scope="all" actId={id} />
}

/** The acts with parcels of the person, or the person's lines of one act. */
export function OwnSettlementActsPage() {
  const id = useActId()
  return id === undefined ? <OwnActList /> : <ActLines key={id} scope="own" actId={id} />
}
