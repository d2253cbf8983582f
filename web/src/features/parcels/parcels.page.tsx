import { missingValue } from '../../lib/format/missing.ts'
import { Suspense, useId, useMemo, useState } from 'react'
import { parcelsTemplate } from '@karvon/contract/imports/imports.ts'
import { importParcels, listParcels } from '@karvon/contract/parcels/parcels.ts'
import { anyPeriod, paymentFilterKeys, readParcelAddress } from '@karvon/contract/parcels/parcels.address.ts'
import { Button } from '../../components/actions/button.tsx'
import { UploadIcon } from '../../components/actions/icons.tsx'
import { DateRange } from '../../components/date-range/date-range.tsx'
import { type DateRangeValue, getMonthRange } from '@karvon/contract/lib/day-ranges.ts'
import { Chips } from '../../components/display/chips.tsx'
import { ToolbarItem, WithDetail } from '../../components/display/layout.tsx'
import { narrowQuery, useMedia } from '../../components/media.hook.ts'
import { useWasOpened } from '../../components/overlay/modal.tsx'
import { defaultTexts, UiTextsContext } from '../../components/texts.ts'
import { ImportButton } from '../../resources/imports/import-button.tsx'
import { canReload, useList } from '../../lib/list.query.ts'
import { ListToolbar } from '../../resources/list-page.tsx'
import { ListTable } from '../../resources/list-table.tsx'
import { getToday } from '../../lib/format/date-time.format.ts'
import { restoreTarget } from '../../lib/session.draft.ts'
import { isAdmin, useSession } from '../../lib/session.store.ts'
import { RussianErrorMessages } from '../../resources/russian-error-messages.tsx'
import { useFeature, useFeatureSpace, useSettings } from '../../lib/settings.store.ts'
import { formatSort, getPeriodFilters, useTableState } from '../../lib/table-state.ts'
import { getParcelKey, type ReceivedParcel } from './parcel.received.ts'
import { createParcelColumns } from './parcels.columns.tsx'
import { LazyParcelDetail, LazyUploadPanel, loadParcelDetail, loadUploadPanel } from './parcels.lazy.ts'
import { PaymentChips } from './payment-chips.tsx'
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
import { queryKeys } from '../../lib/query-keys.ts'

const tableSpec = {
  pageSize: 10,
  filters: ['from', 'to', 'period', 'status', 'problem', ...paymentFilterKeys, 'id'],
}
const widgetTexts = { ...defaultTexts, ...parcelWidgets }

// On failure, opening the detail or the panel loads the code again.
const preloadDetail = () => void loadParcelDetail().catch(() => undefined)
const preloadUpload = () => void loadUploadPanel().catch(() => undefined)

/** The parcels page: upload, search, period, status chips, list and detail. */
export function ParcelsPage() {
  const table = useTableState(tableSpec)
  const { time_zone: zone, currency } = useSettings()
  const admin = isAdmin(useSession())
  const isDetailBeside = !useMedia(narrowQuery)
  const uploadId = useId()
  const [isUploadOpen, setIsUploadOpen] = useState(() => restoreTarget('upload') === true)

  const { page, size, sort, search, filters } = table.state
  const today = getToday(zone)
  const month = getMonthRange(today)
  // Until the settings of the host are known the columns are there, so that the rows do not move later.
  const hasPayments = useFeatureSpace('cash_on_delivery')
  const { period, isAllTime, problem, payment, query } = readParcelAddress(filters, {
    today,
    hasProblems: useFeature('parcel_problems'),
    hasPayments: useFeature('cash_on_delivery'),
  })
  const isCurrentMonth = period?.start === month.start && period.end === month.end
  const setPeriod = (value: DateRangeValue | null) => {
    const isDefault = !isAllTime && value?.start === month.start && value.end === month.end
    table.change({
      filters: {
        ...getPeriodFilters(isDefault ? null : value),
        ...(value === null && !isAllTime && { period: anyPeriod }),
      },
    })
  }

  const list = useList<ReceivedParcel>({
    table,
    key: queryKeys.parcelList,
    call: listParcels,
    query: { ...query, orderno: search, sort: formatSort(sort), page, limit: size },
    refetchInterval: (query) => canReload(query) && parcelsRefetchMs,
    refetchOnWindowFocus: canReload,
  })
  const { result } = list
  useProblemCountsAfterList(result.dataUpdatedAt)
  const counts = readStatusCounts(result.data?.meta)
  const columns = useMemo(
    () => createParcelColumns({ zone, currency, hasPayments }),
    [zone, currency, hasPayments],
  )
  const row = result.data?.items.find((item) => getParcelKey(item) === filters.id)
  const wasDetailOpened = useWasOpened(filters.id !== undefined)
  const open = (id: string) => table.change({ filters: { id }, page })
  // In a modal the detail would cover the list that it asks for.
  const showCourier = (code: string) =>
    table.change({ filters: { courier: code, ...(!isDetailBeside && { id: '' }) } })
  const closeUpload = () => {
    // The focus returns to the button only if it has not moved elsewhere during the upload.
    const focusedElement = document.activeElement
    if (focusedElement === document.body || focusedElement?.closest(`[id="${uploadId}"]`)) {
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
        {isUploadOpen && (
          <Suspense>
            <LazyUploadPanel id={uploadId} onClose={closeUpload} />
          </Suspense>
        )}
        <ListToolbar
          list={list}
          searchLabel={texts.search}
          filters={
            <ToolbarItem width={270}>
              <DateRange value={period} onChange={setPeriod} today={today} clearable />
            </ToolbarItem>
          }
          columns={columns}
          isRussian
          exportName="parcels"
          exportTexts={parcelExportTexts}
          actions={
            <>
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
                onPointerEnter={preloadUpload}
                onFocus={preloadUpload}
                onClick={() => setIsUploadOpen(!isUploadOpen)}
              >
                {uploadTexts.toggle}
              </Button>
            </>
          }
        />
        {(counts ?? result.isPending) && (
          // Reserves the space until the first answer, so that the table does not move when the counts come.
          <div className={problems.chips} style={{ visibility: counts ? 'visible' : 'hidden' }}>
            <Chips
              label={texts.statuses}
              chips={createStatusChips(counts ?? new Map())}
              value={filters.status ?? ''}
              onChange={(status) => table.change({ filters: { status } })}
            />
            <ProblemChips table={table} />
            <PaymentChips table={table} />
          </div>
        )}
        <WithDetail
          onNear={preloadDetail}
          detail={
            filters.id !== undefined && isDetailBeside ? (
              <Suspense>
                <LazyParcelDetail
                  id={filters.id}
                  row={row}
                  isBeside
                  onClose={closeBeside}
                  onCourier={showCourier}
                />
              </Suspense>
            ) : undefined
          }
        >
          <ListTable
            label={texts.title}
            list={list}
            columns={columns}
            rowKey={getParcelKey}
            rowLabel={(row) => row.orderno ?? missingValue}
            lines={2}
            activeKey={filters.id ?? null}
            onRowClick={(row) => open(getParcelKey(row))}
            emptyText={texts.empty}
            failedText={texts.loadFailed}
            isUnfiltered={
              isCurrentMonth &&
              search === '' &&
              !filters.status &&
              problem === undefined &&
              Object.values(payment).every((value) => value === undefined)
            }
          />
        </WithDetail>
        {!isDetailBeside && wasDetailOpened && (
          <Suspense>
            <LazyParcelDetail
              id={filters.id}
              row={row}
              isBeside={false}
              onClose={() => open('')}
              onCourier={showCourier}
            />
          </Suspense>
        )}
      </RussianErrorMessages>
    </UiTextsContext>
  )
}
