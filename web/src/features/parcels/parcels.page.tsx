import { missingValue } from '../../lib/format/missing.ts'
import { useId, useMemo, useState, type ReactNode } from 'react'
import { paymentFilterKeys } from '@karvon/contract/parcels/parcels.address.ts'
import { WithDetail } from '../../components/display/layout.tsx'
import { narrowQuery, useMedia } from '../../components/media.hook.ts'
import { LazyDialog, LazyPart } from '../../components/lazy-part.tsx'
import { defaultTexts, UiTextsContext } from '../../components/texts.ts'
import { ListTable } from '../../resources/list-table.tsx'
import { restoreTarget } from '../../lib/session.draft.ts'
import { RussianErrorMessages } from '../../resources/russian-error-messages.tsx'
import { useFeatureSpace, useSettings } from '../../lib/settings.store.ts'
import { useTableState, type TableControl } from '../../lib/table-state.ts'
import { getParcelKey } from './parcel.received.ts'
import { useParcelList, type ParcelList } from './parcel-list.hook.ts'
import { createParcelColumns } from './parcels.columns.tsx'
import { LazyParcelDetail, LazyUploadPanel, loadParcelDetail } from './parcels.lazy.ts'
import { parcelTexts as texts, parcelWidgets } from './parcels.texts.ts'
import { ParcelChips, ParcelsToolbar } from './parcels.toolbar.tsx'

const tableSpec = {
  pageSize: 10,
  filters: ['from', 'to', 'period', 'status', 'problem', ...paymentFilterKeys, 'id'],
}
const widgetTexts = { ...defaultTexts, ...parcelWidgets }

// A failure shows when the detail opens.
const preloadDetail = () => void loadParcelDetail().catch(() => undefined)

/** The parcels page: upload, search, period, status chips, list and detail. */
export function ParcelsPage() {
  const table = useTableState(tableSpec)
  const { time_zone: zone, currency } = useSettings()
  const uploadId = useId()
  const [isUploadOpen, setIsUploadOpen] = useState(() => restoreTarget('upload') === true)
  // Until the settings of the host are known the columns are there, so that the rows do not move later.
  const hasPayments = useFeatureSpace('cash_on_delivery')
  const parcels = useParcelList(table)
  const { list, isUnfiltered } = parcels
  const columns = useMemo(
    () => createParcelColumns({ zone, currency, hasPayments }),
    [zone, currency, hasPayments],
  )
  const closeUpload = () => {
    // The focus returns to the button only if it has not moved elsewhere during the upload.
    const focusedElement = document.activeElement
    if (focusedElement === document.body || focusedElement?.closest(`[id="${uploadId}"]`)) {
      document.querySelector<HTMLElement>(`[aria-controls="${uploadId}"]`)?.focus()
    }
    setIsUploadOpen(false)
  }

  return (
    <UiTextsContext value={widgetTexts}>
      <RussianErrorMessages>
        {isUploadOpen && (
          <LazyPart>
            <LazyUploadPanel id={uploadId} onClose={closeUpload} />
          </LazyPart>
        )}
        <ParcelsToolbar
          parcels={parcels}
          columns={columns}
          uploadId={isUploadOpen ? uploadId : undefined}
          onToggleUpload={() => setIsUploadOpen(!isUploadOpen)}
        />
        <ParcelChips table={table} list={list} />
        <WithParcelDetail table={table} list={list}>
          <ListTable
            label={texts.title}
            list={list}
            columns={columns}
            rowKey={getParcelKey}
            rowLabel={(row) => row.orderno ?? missingValue}
            lines={2}
            activeKey={table.state.filters.id ?? null}
            onRowClick={(row) => openParcel(table, getParcelKey(row))}
            emptyText={texts.empty}
            failedText={texts.loadFailed}
            isUnfiltered={isUnfiltered}
          />
        </WithParcelDetail>
      </RussianErrorMessages>
    </UiTextsContext>
  )
}

/** Opens the detail of a parcel. An empty id closes it. */
const openParcel = (table: TableControl, id: string) =>
  table.change({ filters: { id }, page: table.state.page })

type WithParcelDetailProps = { table: TableControl; list: ParcelList['list']; children: ReactNode }

/** The list with the detail of the opened parcel, beside it or on narrow screens in a modal. */
function WithParcelDetail({ table, list, children }: WithParcelDetailProps) {
  const { id } = table.state.filters
  const isBeside = !useMedia(narrowQuery)
  const close = () => {
    // The button that closes the detail disappears. The focus returns to the row that opened it.
    if (isBeside) document.querySelector<HTMLElement>('tr[data-active]')?.focus({ preventScroll: true })
    openParcel(table, '')
  }
  const detail = (
    <LazyParcelDetail
      id={id}
      row={list.result.data?.items.find((item) => getParcelKey(item) === id)}
      listUpdatedAt={list.result.dataUpdatedAt}
      isBeside={isBeside}
      onClose={close}
      // In a modal the detail would cover the list that it asks for.
      onCourier={(code) => table.change({ filters: { courier: code, ...(!isBeside && { id: '' }) } })}
    />
  )
  return (
    <>
      <WithDetail
        onNear={preloadDetail}
        detail={id !== undefined && isBeside ? <LazyPart>{detail}</LazyPart> : undefined}
      >
        {children}
      </WithDetail>
      {!isBeside && (
        <LazyDialog opened={id !== undefined} onClose={close}>
          {detail}
        </LazyDialog>
      )}
    </>
  )
}
