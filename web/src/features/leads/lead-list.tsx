import { useMemo } from 'react'
import { leadsTemplate } from '@karvon/contract/imports/imports.ts'
import { importLeads, type Lead } from '@karvon/contract/leads/leads.ts'
import { Toolbar } from '../../components/display/layout.tsx'
import type { Selection } from '../../components/table/column.ts'
import { ExportMenu } from '../../resources/exports/export-menu.tsx'
import { ImportButton } from '../../resources/imports/import-button.tsx'
import { useList, wireQuery } from '../../lib/list.query.ts'
import { ListTable } from '../../resources/list-table.tsx'
import { useSettings } from '../../lib/settings.store.ts'
import { useTableState } from '../../lib/table-state.ts'
import { LeadDetail } from './lead-detail.tsx'
import { LeadFilters } from './lead-filters.tsx'
import { leadColumns } from './leads.columns.tsx'
import { allLeadNames, ownLeadNames } from './leads.names.ts'
import { leadLists, type LeadScope } from './leads.query.ts'
import { leadTexts as texts } from './leads.texts.ts'

const filters = ['source_id', 'offer_id', 'stream_id', 'column', 'word', 'from', 'to', 'id']
const spec = { pageSize: 10, filters }

type LeadListProps = { scope: LeadScope; selection?: Selection }

/** The leads with their filters, and the detail of the one that `id` in the URL names. */
export function LeadList({ scope, selection }: LeadListProps) {
  const table = useTableState(spec)
  const { time_zone: zone, currency } = useSettings()
  // Rows do not move while somebody chooses among them, or reads one.
  const idle = !selection?.selected.size && !table.state.filters.id
  const query = useList<Lead>(['leads', scope, 'list'], leadLists[scope], table.state, idle)
  const columns = useMemo(() => leadColumns(zone, currency), [zone, currency])
  const { page, filters } = table.state
  const open = (id: string) => table.change({ filters: { id }, page })
  return (
    <>
      <Toolbar
        actions={
          <>
            <ExportMenu call={leadLists[scope]} query={wireQuery(table.state)} name="leads" />
            {scope === 'all' && (
              <ImportButton call={importLeads} template={leadsTemplate} name="leads" ofSource />
            )}
          </>
        }
      >
        <LeadFilters table={table} names={scope === 'all' ? allLeadNames : ownLeadNames} />
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
