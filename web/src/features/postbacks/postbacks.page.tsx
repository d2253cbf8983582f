import { useMemo, useState } from 'react'
import {
  listPostbacks,
  postbackOutcomes,
  postbackReasons,
  type Postback,
} from '@karvon/contract/postbacks/postbacks.ts'
import { Toolbar } from '../../components/display/layout.tsx'
import { SearchBox } from '../../components/fields/search-box.tsx'
import { ExportMenu } from '../../resources/exports/export-menu.tsx'
import { ChoiceFilter, NameFilter, PeriodFilter } from '../../resources/list-filters.tsx'
import { useList, wireQuery } from '../../lib/list.query.ts'
import { ListTable } from '../../resources/list-table.tsx'
import { resourceNames } from '../../resources/names.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { useTableState } from '../../lib/table-state.ts'
import { PostbackDetail } from './postback-detail.tsx'
import { postbackColumns } from './postbacks.columns.tsx'
import { postbackTexts as texts } from './postbacks.texts.ts'

const spec = { pageSize: 10, filters: ['source_id', 'outcome', 'reason', 'from', 'to'] }
const sources = resourceNames('cpa-sources')
const outcomes = postbackOutcomes.map((value) => ({ value, label: texts.outcomes[value] }))
const reasons = postbackReasons.map((value) => ({ value, label: texts.reasons[value] }))

/** What networks sent, what became of it and why, and a way to take it once more. */
export function PostbacksPage() {
  const table = useTableState(spec)
  const { time_zone: zone } = useSettings()
  const [opened, setOpened] = useState<Postback | null>(null)
  const query = useList<Postback>(['postbacks', 'list'], listPostbacks, table.state)
  const columns = useMemo(() => postbackColumns(zone), [zone])
  return (
    <>
      <Toolbar actions={<ExportMenu call={listPostbacks} query={wireQuery(table.state)} name="postbacks" />}>
        <SearchBox
          label={texts.search}
          value={table.state.search}
          onSearch={(search) => table.change({ search })}
        />
        <NameFilter table={table} name="source_id" names={sources} {...texts.filters.source} />
        <ChoiceFilter table={table} name="outcome" options={outcomes} {...texts.filters.outcome} />
        <ChoiceFilter table={table} name="reason" options={reasons} {...texts.filters.reason} />
        <PeriodFilter table={table} />
      </Toolbar>
      <ListTable
        label={texts.title}
        table={table}
        query={query}
        columns={columns}
        rowKey={(row) => String(row.id)}
        rowLabel={(row) => row.external_id ?? String(row.id)}
        failedText={texts.loadFailed}
        onRowClick={setOpened}
        activeKey={opened && String(opened.id)}
      />
      <PostbackDetail of={opened} onReplayed={setOpened} onClose={() => setOpened(null)} />
    </>
  )
}
