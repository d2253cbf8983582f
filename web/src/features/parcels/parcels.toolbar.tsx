import { parcelsTemplate } from '@karvon/contract/imports/imports.ts'
import { importParcels } from '@karvon/contract/parcels/parcels.ts'
import { Button } from '../../components/actions/button.tsx'
import { UploadIcon } from '../../components/actions/icons.tsx'
import { DateRange } from '../../components/date-range/date-range.tsx'
import { Chips } from '../../components/display/chips.tsx'
import { ToolbarItem } from '../../components/display/layout.tsx'
import type { Column } from '../../components/table/column.ts'
import { isAdmin, useSession } from '../../lib/session.store.ts'
import type { TableControl } from '../../lib/table-state.ts'
import { ImportButton } from '../../resources/imports/import-button.tsx'
import { ListToolbar } from '../../resources/list-page.tsx'
import type { ReceivedParcel } from './parcel.received.ts'
import type { ParcelList } from './parcel-list.hook.ts'
import { loadUploadPanel } from './parcels.lazy.ts'
import { createStatusChips, readStatusCounts } from './parcels.status.ts'
import { parcelExportTexts, parcelImportTexts, parcelTexts as texts, uploadTexts } from './parcels.texts.ts'
import { PaymentChips } from './payment-chips.tsx'
import { ProblemChips } from './problem-chips.tsx'
import problems from './problems.module.css'

// A failure shows when the panel opens.
const preloadUpload = () => void loadUploadPanel().catch(() => undefined)

type ParcelsToolbarProps = {
  parcels: ParcelList
  columns: Column<ReceivedParcel>[]
  /** The id of the open upload panel. */
  uploadId: string | undefined
  onToggleUpload: () => void
}

/** Search, period, export, import and the button of the upload panel. */
export function ParcelsToolbar({ parcels, columns, uploadId, onToggleUpload }: ParcelsToolbarProps) {
  const { list, period, setPeriod, today } = parcels
  const admin = isAdmin(useSession())
  return (
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
            aria-expanded={uploadId !== undefined}
            aria-controls={uploadId}
            onPointerEnter={preloadUpload}
            onFocus={preloadUpload}
            onClick={onToggleUpload}
          >
            {uploadTexts.toggle}
          </Button>
        </>
      }
    />
  )
}

/** The chips of statuses, problems and payments. */
export function ParcelChips({ table, list: { result } }: { table: TableControl; list: ParcelList['list'] }) {
  const counts = readStatusCounts(result.data?.meta)
  if (!counts && !result.isPending) return null
  return (
    // Reserves the space until the first answer, so that the table does not move when the counts come.
    <div className={problems.chips} style={{ visibility: counts ? 'visible' : 'hidden' }}>
      <Chips
        label={texts.statuses}
        chips={createStatusChips(counts ?? new Map())}
        value={table.state.filters.status ?? ''}
        onChange={(status) => table.change({ filters: { status } })}
      />
      <ProblemChips table={table} />
      <PaymentChips table={table} />
    </div>
  )
}
