import { useMemo } from 'react'
import { leadsTemplate } from '@karvon/contract/imports/imports.ts'
import { importLeads, type Lead } from '@karvon/contract/leads/leads.ts'
import { Toolbar } from '../../components/display/layout.tsx'
import type { Selection } from '../../components/table/column.ts'
import { ExportMenu } from '../../resources/exports/export-menu.tsx'
import { ImportButton } from '../../resources/imports/import-button.tsx'
import { useList, buildListQuery } from '../../lib/list.query.ts'
import { ListTable } from '../../resources/list-table.tsx'
import { useSettings } from '../../lib/settings.store.ts'
import { useTableState } from '../../lib/table-state.ts'
import { LeadDetail } from './lead-detail.tsx'
import { LeadFilters } from './lead-filters.tsx'
import { createLeadColumns } from './leads.columns.tsx'
import { allLeadOptions, ownLeadOptionSources } from './leads.options.ts'
import { listLeadsCalls, type LeadScope } from './leads.query.ts'
import { leadTexts as texts } from './leads.texts.ts'
import { queryKeys } from '../../lib/query-keys.ts'

const filters = ['source_id', 'offer_id', 'stream_id', 'column', 'source_status', 'from', 'to', 'id']
const spec = { pageSize: 10, filters }

type LeadListProps = { scope: LeadScope; selection?: Selection }

/** The leads with their filters, and the detail of the lead that `id` in the URL names. */
export function LeadList({ scope, selection }: LeadListProps) {
  const table = useTableState(spec)
  const { time_zone: zone, currency } = useSettings()
  // The list does not reload while a person selects rows or reads a lead.
  const isIdle = !selection?.selected.size && !table.state.filters.id
  const query = useList<Lead>({
    key: queryKeys.leadList(scope),
    call: listLeadsCalls[scope],
    state: table.state,
    isLive: isIdle,
  })
  const columns = useMemo(() => createLeadColumns(zone, currency), [zone, currency])
  const { page, filters } = table.state
  const open = (id: string) => table.change({ filters: { id }, page })
  return (
    <>
      <Toolbar
        actions={
          <>
            <ExportMenu call={listLeadsCalls[scope]} query={buildListQuery(table.state)} name="leads" />
            {scope === 'all' && (
              <ImportButton call={importLeads} template={leadsTemplate} name="leads" needsSource />
            )}
          </>
        }
      >
        <LeadFilters table={table} optionSources={scope === 'all' ? allLeadOptions : ownLeadOptionSources} />
      </Toolbar>
      <ListTable
        label={texts.title}
        table={table}
        query={query}
        columns={columns}
        rowKey={(row) => String(row.id)}
        rowLabel={(row) => row.external_id}
        failedText={texts.loadFailed}
        onRowClick={(row) => open(String(row.id))}
        activeKey={filters.id ?? null}
        {...(selection && { selection })}
      />
      <LeadDetail scope={scope} id={filters.id} onClose={() => open('')} />
    </>
  )
}
