import { useMemo, useState } from 'react'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { listSyncRuns, type SyncRun } from '@karvon/contract/syncs/syncs.ts'
import { Button } from '../../components/actions/button.tsx'
import { Badge } from '../../components/display/badge.tsx'
import { useDialogs } from '../../components/overlay/dialogs.tsx'
import { Modal } from '../../components/overlay/modal.tsx'
import { formatNumber } from '../../lib/format/number.format.ts'
import type { Column } from '../../components/table/column.ts'
import { reasonOf, send } from '../../lib/http.ts'
import { readList } from '../../lib/list.answer.ts'
import { wireQuery } from '../../lib/list.query.ts'
import { ListTable } from '../../resources/list-table.tsx'
import { formatMoment } from '../../lib/format/moment.format.ts'
import { useSettings } from '../../lib/settings.store.ts'
import type { TableChange, TableState } from '../../lib/table-state.ts'
import type { SyncAccounts, SyncedRow } from './health.query.ts'
import { runState } from './health.state.ts'
import classes from './syncs.module.css'
import { syncTexts as texts } from './syncs.texts.ts'

type RunsDialogProps = { of: SyncAccounts; row: SyncedRow; opened: boolean; onClose: () => void }

/** What was fetched for an account, newest first. */
export function RunsDialog({ of, row, opened, onClose }: RunsDialogProps) {
  return (
    <Modal opened={opened} title={texts.runsOf(row.name)} onClose={onClose} width={940}>
      {of.closeGap && <ReadAllButton of={of} row={row} />}
      <Runs narrowing={{ [of.key]: String(row.id) }} label={texts.runsOf(row.name)} />
    </Modal>
  )
}

/** Asks for a run that reads every order, as one does each night. */
function ReadAllButton({ of, row }: Pick<RunsDialogProps, 'of' | 'row'>) {
  const dialogs = useDialogs()
  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: () => send(of.run, { params: { id: row.id }, query: { full: true } }),
    onError: (error) => dialogs.alert(texts.runFailed, reasonOf(error)),
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

const start: TableState = { page: 1, size: 10, sort: null, search: '', filters: {} }

function Runs({ narrowing, label }: { narrowing: Record<string, string>; label: string }) {
  const { time_zone: zone } = useSettings()
  // Not in the URL, which is the list's below.
  const [state, setState] = useState(start)
  const change = ({ page, size, sort }: TableChange) =>
    setState((now) => ({
      ...now,
      page: page ?? 1,
      size: size ?? now.size,
      sort: sort === undefined ? now.sort : sort,
    }))
  const asked = { ...wireQuery(state), ...narrowing }
  const query = useQuery({
    queryKey: ['sync-runs', asked],
    queryFn: async ({ signal }) => readList<SyncRun>(await send(listSyncRuns, { query: asked, signal })),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const columns = useMemo(() => runColumns(zone), [zone])
  return (
    <ListTable
      label={label}
      table={{ state, change }}
      query={query}
      columns={columns}
      rowKey={(run) => String(run.id)}
      failedText={texts.runsFailed}
      emptyText={texts.runsEmpty}
    />
  )
}

function duration({ started_at, finished_at }: SyncRun): string {
  if (finished_at === null) return texts.none
  const seconds = (Date.parse(finished_at) - Date.parse(started_at)) / 1000
  if (seconds < 60) return texts.seconds(seconds)
  return texts.minutes(Math.floor(seconds / 60), Math.floor(seconds % 60))
}

/** What was special about a run: that it caught up, or read every order. */
function notesOf({ counts }: SyncRun): string[] {
  const {
    catch_up_hours: hours,
    catch_up_orders: orders = 0,
    full_readings: full,
    late_changes: late,
  } = counts
  return [
    ...(hours === undefined ? [] : [texts.catchUp(hours, orders)]),
    ...(full === undefined ? [] : [texts.lateChanges(late ?? 0)]),
  ]
}

const counted = ['rows', 'created', 'updated', 'unmapped', 'requests'] as const

function runColumns(zone: string): Column<SyncRun>[] {
  const { columns } = texts
  return [
    {
      key: 'started_at',
      header: columns.started,
      cell: (run) => formatMoment(run.started_at, zone),
      sortable: true,
      nowrap: true,
    },
    {
      key: 'status',
      header: columns.status,
      cell: (run) => {
        const { tone, text } = runState(run)
        return (
          <>
            <Badge tone={tone}>{text}</Badge>
            {notesOf(run).map((note) => (
              <small key={note} className={classes.note}>
                {note}
              </small>
            ))}
          </>
        )
      },
      phone: 'right',
    },
    { key: 'duration', header: columns.duration, cell: duration, align: 'end', phone: 'line' },
    ...counted.map((key): Column<SyncRun> => ({
      key,
      header: columns[key],
      cell: ({ counts }) => (counts[key] === undefined ? texts.none : formatNumber(counts[key])),
      align: 'end',
      phone: 'line',
    })),
    { key: 'error', header: columns.error, cell: (run) => run.error ?? texts.none, phone: 'line' },
  ]
}
