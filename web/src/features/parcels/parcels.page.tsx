import { useId, useMemo, useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { parcelsTemplate } from '@karvon/contract/imports/imports.ts'
import { importParcels, listParcels } from '@karvon/contract/parcels/parcels.ts'
import { Button } from '../../components/actions/button.tsx'
import { UploadIcon } from '../../components/actions/icons.tsx'
import { DateRange } from '../../components/date-range/date-range.tsx'
import { type DateRangeValue, getMonthRange } from '../../lib/format/date-range.rules.ts'
import { Chips } from '../../components/display/chips.tsx'
import { Toolbar, ToolbarItem, WithDetail } from '../../components/display/layout.tsx'
import { SearchBox } from '../../components/fields/search-box.tsx'
import { narrowQuery, useMedia } from '../../components/media.hook.ts'
import { defaultTexts, UiTextsContext } from '../../components/texts.ts'
import { ExportMenu } from '../../resources/exports/export-menu.tsx'
import { ImportButton } from '../../resources/imports/import-button.tsx'
import { send } from '../../lib/http.ts'
import { readList } from '../../lib/list.result.ts'
import { ListTable } from '../../resources/list-table.tsx'
import { getToday } from '../../lib/format/date-time.format.ts'
import { isAdmin, useSession } from '../../lib/session.store.ts'
import { RussianErrorMessages } from '../../resources/error-message.tsx'
import { useFeature, useSettings } from '../../lib/settings.store.ts'
import { formatSort, useTableState } from '../../lib/table-state.ts'
import { getParcelKey, type ReceivedParcel } from './parcel.received.ts'
import { ParcelDetail } from './parcel-detail.tsx'
import { createParcelColumns } from './parcels.columns.tsx'
import { readStatusCounts, createStatusChips } from './parcels.status.ts'
import {
  parcelExportTexts,
  parcelImportTexts,
  parcelTexts as texts,
  parcelWidgets,
  uploadTexts,
} from './parcels.texts.ts'
import { parcelsRefetchMs, useProblemCountsAfterList } from './problems.query.ts'
import { ProblemChips } from './problem-chips.tsx'
import problems from './problems.module.css'
import { UploadPanel } from './upload-panel.tsx'
import { queryKeys } from '../../lib/query-keys.ts'

const tableSpec = { pageSize: 10, filters: ['from', 'to', 'period', 'status', 'problem', 'id'] }
const widgetTexts = { ...defaultTexts, ...parcelWidgets }

/**
 * The value of `period` in the URL for no period. Without the parameter the period is the current month, or
 * all time while the problem filter is on.
 */
const anyPeriod = 'any'

/** The parcels page: upload, search, period, status chips, list and detail. */
export function ParcelsPage() {
  const table = useTableState(tableSpec)
  const { time_zone: zone, currency } = useSettings()
  const admin = isAdmin(useSession())
  const isDetailBeside = !useMedia(narrowQuery)
  const uploadId = useId()
  const [isUploadOpen, setIsUploadOpen] = useState(false)

  const { page, size, sort, search, filters } = table.state
  const today = getToday(zone)
  const month = getMonthRange(today)
  const problem = useFeature('parcel_problems') ? filters.problem : undefined
  const hasNoPeriod = filters.period === anyPeriod || (problem !== undefined && filters.from === undefined)
  const period: DateRangeValue | null = hasNoPeriod
    ? null
    : filters.from !== undefined && filters.to !== undefined
      ? { start: filters.from, end: filters.to }
      : month
  const isCurrentMonth = period?.start === month.start && period.end === month.end
  const setPeriod = (value: DateRangeValue | null) => {
    const isDefault = problem === undefined && value?.start === month.start && value.end === month.end
    table.change({
      filters: {
        from: isDefault ? '' : value?.start,
        to: isDefault ? '' : value?.end,
        period: value === null && problem === undefined ? anyPeriod : '',
      },
    })
  }

  const filterQuery = {
    date_from: period?.start,
    date_to: period?.end,
    orderno: search,
    status: filters.status,
    problem,
    sort: formatSort(sort),
  }
  const pageQuery = { ...filterQuery, page, limit: size }
  const query = useQuery({
    queryKey: queryKeys.parcelList(pageQuery),
    queryFn: async ({ signal }) =>
      readList<ReceivedParcel>(await send(listParcels, { query: pageQuery, signal }), { page, size }),
    placeholderData: keepPreviousData,
    // A failed list does not reload: its error stays until the person tries again.
    refetchInterval: ({ state }) => state.error === null && parcelsRefetchMs,
    refetchOnWindowFocus: ({ state }) => state.error === null,
  })
  useProblemCountsAfterList(query.dataUpdatedAt)
  const counts = readStatusCounts(query.data?.meta)
  const columns = useMemo(() => createParcelColumns(zone, currency), [zone, currency])
  const row = query.data?.items.find((each) => getParcelKey(each) === filters.id)
  const open = (id: string) => table.change({ filters: { id }, page })
  const closeUpload = () => {
    // The focus returns to the button only if it has not moved elsewhere during the upload.
    const focused = document.activeElement
    if (focused === document.body || focused?.closest(`[id="${uploadId}"]`)) {
      document.querySelector<HTMLElement>(`[aria-controls="${uploadId}"]`)?.focus()
    }
    setIsUploadOpen(false)
  }
  const closeBeside = () => {
    // The button that closes the detail disappears. The focus returns to the row that opened it.
    document.querySelector<HTMLElement>('tr[data-active]')?.focus({ preventScroll: true })
    open('')
  }

  return (
    <UiTextsContext value={widgetTexts}>
      <RussianErrorMessages>
        {isUploadOpen && <UploadPanel id={uploadId} onClose={closeUpload} />}
        <Toolbar
          actions={
            <>
              <ExportMenu call={listParcels} query={filterQuery} name="parcels" texts={parcelExportTexts} />
              {admin && (
                <ImportButton
                  call={importParcels}
                  template={parcelsTemplate}
                  name="parcels"
                  texts={parcelImportTexts}
                />
              )}
              <Button
                icon={<UploadIcon size={17} />}
                aria-expanded={isUploadOpen}
                aria-controls={isUploadOpen ? uploadId : undefined}
                onClick={() => setIsUploadOpen(!isUploadOpen)}
              >
                {uploadTexts.toggle}
              </Button>
            </>
          }
        >
          <SearchBox
            label={texts.search}
            value={search}
            onSearch={(filterQuery) => table.change({ search: filterQuery })}
          />
          <ToolbarItem width={270}>
            <DateRange value={period} onChange={setPeriod} today={today} clearable />
          </ToolbarItem>
        </Toolbar>
        {(counts ?? query.isPending) && (
          // Reserves the space until the first answer, so that the table does not move when the counts come.
          <div className={problems.chips} style={{ visibility: counts ? 'visible' : 'hidden' }}>
            <Chips
              label={texts.statuses}
              chips={createStatusChips(counts ?? new Map())}
              value={filters.status ?? ''}
              onChange={(status) => table.change({ filters: { status } })}
            />
            <ProblemChips table={table} />
          </div>
        )}
        <WithDetail
          detail={
            filters.id !== undefined && isDetailBeside ? (
              <ParcelDetail id={filters.id} row={row} isBeside onClose={closeBeside} />
            ) : undefined
          }
        >
          <ListTable
            label={texts.title}
            table={table}
            query={query}
            columns={columns}
            rowKey={getParcelKey}
            rowLabel={(row) => row.orderno ?? texts.none}
            lines={2}
            activeKey={filters.id ?? null}
            onRowClick={(row) => open(getParcelKey(row))}
            emptyText={texts.empty}
            failedText={texts.loadFailed}
            isUnfiltered={isCurrentMonth && search === '' && !filters.status && problem === undefined}
          />
        </WithDetail>
        {!isDetailBeside && (
          <ParcelDetail id={filters.id} row={row} isBeside={false} onClose={() => open('')} />
        )}
      </RussianErrorMessages>
    </UiTextsContext>
  )
}
