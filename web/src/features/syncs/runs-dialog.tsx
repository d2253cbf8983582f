import { missingValue } from '../../lib/format/missing.ts'
import { useMemo, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { addDays, type DateRangeValue } from '@karvon/contract/lib/day-ranges.ts'
import { listSyncRuns, type SyncRun } from '@karvon/contract/syncs/syncs.ts'
import { Button } from '../../components/actions/button.tsx'
import { DateRange } from '../../components/date-range/date-range.tsx'
import { Badge } from '../../components/display/badge.tsx'
import { useDialogs } from '../../components/overlay/dialogs.tsx'
import { Modal } from '../../components/overlay/modal.tsx'
import { formatNumber } from '../../lib/format/number.format.ts'
import type { Column } from '../../components/table/column.ts'
import { getErrorMessage, send } from '../../lib/http.ts'
import { useDialogTableState } from '../../lib/dialog-table-state.hook.ts'
import { buildListQuery, useList } from '../../lib/list.query.ts'
import { ListTable } from '../../resources/list-table.tsx'
import { formatDay } from '../../lib/format/day.format.ts'
import { formatDateTime, getToday } from '../../lib/format/date-time.format.ts'
import { useSettings } from '../../lib/settings.store.ts'
import type { SyncAccounts, SyncAccountRow } from './health.query.ts'
import { formatError, getRunState } from './health.state.ts'
import classes from './syncs.module.css'
import { syncTexts as texts } from './syncs.texts.ts'
import { queryKeys } from '../../lib/query-keys.ts'

type RunsDialogProps = {
  accounts: SyncAccounts
  row: SyncAccountRow
  requestedOrders: { from: string; to: string } | null
  /** Called when a run was requested here. */
  onRequested: (previousRunId: number) => void
  opened: boolean
  onClose: () => void
}

/** The sync runs of an account, newest first. */
export function RunsDialog(props: RunsDialogProps) {
  const { accounts, row, requestedOrders, onRequested, opened, onClose } = props
  const { fetchOrders } = accounts
  return (
    <Modal opened={opened} title={texts.runsOf({ name: row.name })} onClose={onClose} width={940}>
      {accounts.closeGap && <ReadAllButton accounts={accounts} row={row} />}
      {fetchOrders && (
        <FetchOrders
          requested={requestedOrders}
          request={(days) => send(fetchOrders, { params: { id: row.id }, body: days })}
          onRequested={onRequested}
        />
      )}
      <Runs filter={{ [accounts.key]: String(row.id) }} label={texts.runsOf({ name: row.name })} />
    </Modal>
  )
}

/** Starts a run that reads all orders, like the nightly run. */
function ReadAllButton({ accounts, row }: Pick<RunsDialogProps, 'accounts' | 'row'>) {
  const dialogs = useDialogs()
  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: () => send(accounts.run, { params: { id: row.id }, query: { full: true } }),
    onError: (error) => dialogs.alert(texts.runFailed, getErrorMessage(error)),
  })
  return (
    <div className={classes.request}>
      <Button loading={isPending} loadingText={texts.asking} onClick={() => mutate()}>
        {texts.readAll}
      </Button>
      <small aria-live="polite">{isSuccess ? texts.readAllQueued : ''}</small>
    </div>
  )
}

type FetchOrdersProps = {
  requested: { from: string; to: string } | null
  request: (days: { date_from: string; date_to: string }) => Promise<{ previous_run_id: number }>
  onRequested: (previousRunId: number) => void
}

/** Requests the orders of some days again, and shows which of them are not fetched yet. */
function FetchOrders({ requested, request, onRequested }: FetchOrdersProps) {
  const dialogs = useDialogs()
  const today = getToday(useSettings().time_zone)
  const [days, setDays] = useState<DateRangeValue>(() => ({ start: addDays(today, -29), end: today }))
  const { mutate, isPending } = useMutation({
    mutationFn: () => request({ date_from: days.start, date_to: days.end }),
    onSuccess: (run) => onRequested(run.previous_run_id),
    onError: (error) => dialogs.alert(texts.runFailed, getErrorMessage(error)),
  })
  return (
    <div className={classes.request}>
      <DateRange
        label={texts.fetchOrdersDays}
        value={days}
        onChange={(value) => setDays(value ?? days)}
        today={today}
        max={today}
      />
      <Button loading={isPending} loadingText={texts.asking} onClick={() => mutate()}>
        {texts.fetchOrders}
      </Button>
      <small aria-live="polite">
        {requested && texts.ordersRequested({ from: formatDay(requested.from), to: formatDay(requested.to) })}
      </small>
    </div>
  )
}

function Runs({ filter, label }: { filter: Record<string, string>; label: string }) {
  const { time_zone: zone } = useSettings()
  const table = useDialogTableState()
  const list = useList<SyncRun>({
    table,
    key: queryKeys.syncRuns,
    call: listSyncRuns,
    query: { ...buildListQuery(table.state), ...filter },
    staleTime: 0,
  })
  const columns = useMemo(() => createRunColumns(zone), [zone])
  return (
    <ListTable
      label={label}
      list={list}
      columns={columns}
      rowKey={(run) => String(run.id)}
      failedText={texts.runsFailed}
      emptyText={texts.runsEmpty}
    />
  )
}

function formatDuration({ started_at, finished_at }: SyncRun): string {
  if (finished_at === null) return missingValue
  const seconds = (Date.parse(finished_at) - Date.parse(started_at)) / 1000
  if (seconds < 60) return texts.seconds({ seconds: formatNumber(seconds, seconds < 10 ? 1 : 0, '.') })
  return texts.minutes({ minutes: Math.floor(seconds / 60), seconds: Math.floor(seconds % 60) })
}

/** Special properties of a run: it caught up after a pause, or it read all orders. */
function getRunNotes({ counts }: SyncRun): string[] {
  const {
    catch_up_hours: hours,
    catch_up_orders: orders = 0,
    full_scans: fullScans,
    late_changes: lateChanges,
  } = counts
  return [
    ...(hours === undefined ? [] : [texts.catchUp({ hours, orders })]),
    ...(fullScans === undefined ? [] : [texts.lateChanges({ changes: lateChanges ?? 0 })]),
  ]
}

const countKeys = ['rows', 'created', 'updated', 'unmapped', 'requests'] as const

function createRunColumns(zone: string): Column<SyncRun>[] {
  const { columns } = texts
  return [
    {
      key: 'started_at',
      header: columns.started,
      cell: (run) => formatDateTime(run.started_at, zone),
      sortable: true,
      nowrap: true,
    },
    {
      key: 'status',
      header: columns.status,
      cell: (run) => {
        const { tone, text } = getRunState(run)
        return (
          <>
            <Badge tone={tone}>{text}</Badge>
            {getRunNotes(run).map((note) => (
              <small key={note} className={classes.note}>
                {note}
              </small>
            ))}
          </>
        )
      },
      // A long error would break the badge into letters.
      nowrap: true,
      phone: 'right',
    },
    { key: 'duration', header: columns.duration, cell: formatDuration, align: 'end', phone: 'line' },
    ...countKeys.map((key): Column<SyncRun> => ({
      key,
      header: columns[key],
      cell: ({ counts }) => (counts[key] === undefined ? missingValue : formatNumber(counts[key])),
      align: 'end',
      phone: 'line',
    })),
    { key: 'error', header: columns.error, cell: (run) => formatError(run) ?? missingValue, phone: 'line' },
  ]
}
