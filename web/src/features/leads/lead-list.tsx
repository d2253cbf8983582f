import { lazy, useMemo } from 'react'
import { leadsTemplate } from '@karvon/contract/imports/imports.ts'
import { importLeads, type Lead } from '@karvon/contract/leads/leads.ts'
import { LazyDialog } from '../../components/lazy-part.tsx'
import type { Selection } from '../../components/table/column.ts'
import { importTexts } from '../../resources/imports/import.texts.ts'
import { ImportButton } from '../../resources/imports/import-button.tsx'
import { getRefetchInterval, useList } from '../../lib/list.query.ts'
import { ListPage } from '../../resources/list-page.tsx'
import { useSettings } from '../../lib/settings.store.ts'
import { useTableState } from '../../lib/table-state.ts'
import { leadFilterNames, LeadFilters } from './lead-filters.tsx'
import { createLeadColumns } from './leads.columns.tsx'
import { allLeadOptions, ownLeadOptionSources } from '../reports/lead-options.ts'
import { listLeadsCalls, type LeadScope } from './leads.query.ts'
import { leadTexts as texts } from './leads.texts.ts'
import { queryKeys } from '../../lib/query-keys.ts'

const spec = { pageSize: 10, filters: [...leadFilterNames, 'to', 'id'] }

/** An imported file has the leads of one source. */
const leadOwner = {
  field: 'source_id',
  resource: 'cpa-sources',
  label: importTexts.source,
  loadFailed: importTexts.sourcesFailed,
}

const LeadDetail = lazy(async () => ({ default: (await import('./lead-detail.tsx')).LeadDetail }))

type LeadListProps = { scope: LeadScope; selection?: Selection }

/** The leads with their filters, and the detail of the lead that `id` in the URL names. */
export function LeadList({ scope, selection }: LeadListProps) {
  const table = useTableState(spec)
  const { page, filters } = table.state
  const { time_zone: zone, currency } = useSettings()
  const list = useList<Lead>({
    table,
    key: queryKeys.leadList(scope),
    call: listLeadsCalls[scope],
    // The list does not reload while a person selects rows or reads a lead.
    refetchInterval: !selection?.selected.size && !filters.id && getRefetchInterval,
  })
  const columns = useMemo(() => createLeadColumns(zone, currency), [zone, currency])
  const open = (id: string) => table.change({ filters: { id }, page })
  const close = () => open('')
  return (
    <>
      <ListPage
        list={list}
        label={texts.title}
        searchLabel={texts.search}
        filters={
          <LeadFilters
            table={table}
            optionSources={scope === 'all' ? allLeadOptions : ownLeadOptionSources}
          />
        }
        exportName="leads"
        actions={
          scope === 'all' && (
            <ImportButton call={importLeads} template={leadsTemplate} name="leads" owner={leadOwner} />
          )
        }
        columns={columns}
        rowKey={(row) => String(row.id)}
        rowLabel={(row) => row.external_id}
        failedText={texts.loadFailed}
        onRowClick={(row) => open(String(row.id))}
        activeKey={filters.id ?? null}
        selection={selection}
      />
      <LazyDialog opened={filters.id !== undefined} onClose={close}>
        <LeadDetail scope={scope} id={filters.id} onClose={close} />
      </LazyDialog>
    </>
  )
}
