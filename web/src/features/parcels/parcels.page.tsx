import { useId, useMemo, useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { parcelsTemplate } from '@karvon/contract/imports/imports.ts'
import { importParcels, listParcels } from '@karvon/contract/parcels/parcels.ts'
import { Button } from '../../components/actions/button.tsx'
import { UploadIcon } from '../../components/actions/icons.tsx'
import { DateRange } from '../../components/date-range/date-range.tsx'
import { type DateRangeValue, monthOf } from '../../lib/format/date-range.rules.ts'
import { Chips } from '../../components/display/chips.tsx'
import { Toolbar, ToolbarItem, WithDetail } from '../../components/display/layout.tsx'
import { SearchBox } from '../../components/fields/search-box.tsx'
import { narrowQuery, useMedia } from '../../components/media.hook.ts'
import { defaultTexts, UiTextsContext } from '../../components/texts.ts'
import { ExportMenu } from '../../resources/exports/export-menu.tsx'
import { ImportButton } from '../../resources/imports/import-button.tsx'
import { send } from '../../lib/http.ts'
import { readList } from '../../lib/list.answer.ts'
import { ListTable } from '../../resources/list-table.tsx'
import { todayIn } from '../../lib/format/moment.format.ts'
import { isAdmin, useSession } from '../../lib/session.store.ts'
import { RussianReasons } from '../../resources/reason.tsx'
import { useFeature, useSettings } from '../../lib/settings.store.ts'
import { sortText, useTableState } from '../../lib/table-state.ts'
import { parcelKey, type ReceivedParcel } from './parcel.received.ts'
import { ParcelDetail } from './parcel-detail.tsx'
import { parcelColumns } from './parcels.columns.tsx'
import { readCounts, statusChips } from './parcels.status.ts'
import {
  exportTexts,
  importTexts,
  parcelTexts as texts,
  parcelWidgets,
  uploadTexts,
} from './parcels.texts.ts'
import { ProblemChips } from './problem-chips.tsx'
import problems from './problems.module.css'
import { UploadPanel } from './upload-panel.tsx'

const spec = { pageSize: 10, filters: ['from', 'to', 'period', 'status', 'problem', 'id'] }
const widgetTexts = { ...defaultTexts, ...parcelWidgets }

/**
 * `period=any` in the URL stands for no period; without a word on it, it is the current month, but of the parcels
 * that need a person it is all of them.
 */
const anyTime = 'any'

/** The parcels: upload, search, period, states, list and the detail of one. */
export function ParcelsPage() {
  const table = useTableState(spec)
  const { time_zone: zone, currency } = useSettings()
  const admin = isAdmin(useSession())
  const beside = !useMedia(narrowQuery)
  const uploadId = useId()
  const [uploading, setUploading] = useState(false)

  const { page, size, sort, search, filters } = table.state
  const today = todayIn(zone)
  const month = monthOf(today)
  const problem = useFeature('parcel_problems') ? filters.problem : undefined
  const timeless = filters.period === anyTime || (problem !== undefined && filters.from === undefined)
  const period: DateRangeValue | null = timeless
    ? null
    : filters.from !== undefined && filters.to !== undefined
      ? { start: filters.from, end: filters.to }
      : month
  const isUsual = period?.start === month.start && period.end === month.end
  const setPeriod = (value: DateRangeValue | null) => {
    const usual = problem === undefined && value?.start === month.start && value.end === month.end
    table.change({
      filters: {
        from: usual ? '' : value?.start,
        to: usual ? '' : value?.end,
        period: value === null && problem === undefined ? anyTime : '',
      },
    })
  }

  const wanted = {
    date_from: period?.start,
    date_to: period?.end,
    orderno: search,
    status: filters.status,
    problem,
    sort: sortText(sort),
  }
  const asked = { ...wanted, page, limit: size }
  const query = useQuery({
    queryKey: ['parcels', 'list', asked],
    queryFn: async ({ signal }) =>
      readList<ReceivedParcel>(await send(listParcels, { query: asked, signal }), { page, size }),
    placeholderData: keepPreviousData,
  })
  const counts = readCounts(query.data?.meta)
  const columns = useMemo(() => parcelColumns(zone, currency), [zone, currency])
  const row = query.data?.items.find((each) => parcelKey(each) === filters.id)
  const open = (id: string) => table.change({ filters: { id }, page })
  const closeUpload = () => {
    // Not from whoever went on to something else while the file was on its way.
    const at = document.activeElement
    if (at === document.body || at?.closest(`[id="${uploadId}"]`)) {
      document.querySelector<HTMLElement>(`[aria-controls="${uploadId}"]`)?.focus()
    }
    setUploading(false)
  }
  const closeBeside = () => {
    // The button that closed it is about to go, and the focus with it: back to the row that opened it.
    document.querySelector<HTMLElement>('tr[data-active]')?.focus({ preventScroll: true })
    open('')
  }

  return (
    <UiTextsContext value={widgetTexts}>
      <RussianReasons>
        {uploading && <UploadPanel id={uploadId} onClose={closeUpload} />}
        <Toolbar
          actions={
            <>
              <ExportMenu call={listParcels} query={wanted} name="parcels" texts={exportTexts} />
              {admin && (
                <ImportButton
                  call={importParcels}
                  template={parcelsTemplate}
                  name="parcels"
                  texts={importTexts}
                />
              )}
              <Button
                icon={<UploadIcon size={17} />}
                aria-expanded={uploading}
                aria-controls={uploading ? uploadId : undefined}
                onClick={() => setUploading(!uploading)}
              >
                {uploadTexts.toggle}
              </Button>
            </>
          }
        >
          <SearchBox
            label={texts.search}
            value={search}
            onSearch={(wanted) => table.change({ search: wanted })}
          />
          <ToolbarItem width={270}>
            <DateRange value={period} onChange={setPeriod} today={today} clearable />
          </ToolbarItem>
        </Toolbar>
        {(counts ?? query.isPending) && (
          // Keeps its place until the first answer, so that the table does not move when the counts come.
          <div className={problems.chips} style={{ visibility: counts ? 'visible' : 'hidden' }}>
            <Chips
              label={texts.statuses}
              chips={statusChips(counts ?? new Map())}
              value={filters.status ?? ''}
              onChange={(status) => table.change({ filters: { status } })}
            />
            <ProblemChips table={table} />
          </div>
        )}
        <WithDetail
          detail={
            filters.id !== undefined && beside ? (
              <ParcelDetail id={filters.id} row={row} beside onClose={closeBeside} />
            ) : undefined
          }
        >
          <ListTable
            label={texts.title}
            table={table}
            query={query}
            columns={columns}
            rowKey={parcelKey}
            rowLabel={(row) => row.orderno ?? texts.none}
            lines={2}
            activeKey={filters.id ?? null}
            onRowClick={(row) => open(parcelKey(row))}
            emptyText={texts.empty}
            failedText={texts.loadFailed}
            unfiltered={isUsual && search === '' && !filters.status && problem === undefined}
          />
        </WithDetail>
        {!beside && <ParcelDetail id={filters.id} row={row} beside={false} onClose={() => open('')} />}
      </RussianReasons>
    </UiTextsContext>
  )
}
