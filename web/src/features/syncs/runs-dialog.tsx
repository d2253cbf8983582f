import { missingValue } from '../../lib/format/missing.ts'
import { useMemo } from 'react'
import { useMutation } from '@tanstack/react-query'
import { listSyncRuns, type SyncRun } from '@karvon/contract/syncs/syncs.ts'
import { Button } from '../../components/actions/button.tsx'
import { Badge } from '../../components/display/badge.tsx'
import { useDialogs } from '../../components/overlay/dialogs.tsx'
import { Modal } from '../../components/overlay/modal.tsx'
import { formatNumber } from '../../lib/format/number.format.ts'
import type { Column } from '../../components/table/column.ts'
import { getErrorMessage, send } from '../../lib/http.ts'
import { useDialogTableState } from '../../lib/dialog-table-state.hook.ts'
import { buildListQuery, useList } from '../../lib/list.query.ts'
import { ListTable } from '../../resources/list-table.tsx'
import { formatDateTime } from '../../lib/format/date-time.format.ts'
import { useSettings } from '../../lib/settings.store.ts'
import type { SyncAccounts, SyncAccountRow } from './health.query.ts'
import { formatError, getRunState } from './health.state.ts'
import classes from './syncs.module.css'
import { syncTexts as texts } from './syncs.texts.ts'
import { queryKeys } from '../../lib/query-keys.ts'

type RunsDialogProps = { accounts: SyncAccounts; row: SyncAccountRow; opened: boolean; onClose: () => void }

/** The sync runs of an account, newest first. */
export function RunsDialog({ accounts, row, opened, onClose }: RunsDialogProps) {
  return (
    <Modal opened={opened} title={texts.runsOf({ name: row.name })} onClose={onClose} width={940}>
      {accounts.closeGap && <ReadAllButton accounts={accounts} row={row} />}
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
    <div className={classes.all}>
      <Button loading={isPending} loadingText={texts.asking} onClick={() => mutate()}>
        {texts.readAll}
      </Button>
      <small aria-live="polite">{isSuccess ? texts.readAllQueued : ''}</small>
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
