import { missingValue } from '../../lib/format/missing.ts'
import { lazy, useState } from 'react'
import { LazyDialog } from '../../components/lazy-part.tsx'
import { useQueryClient } from '@tanstack/react-query'
import type { Feature } from '@karvon/contract/lib/features.ts'
import type { ReceivedRow } from '@karvon/contract/lib/received.ts'
import { Button } from '../../components/actions/button.tsx'
import { RefreshIcon } from '../../components/actions/icons.tsx'
import { Badge } from '../../components/display/badge.tsx'
import type { Column } from '../../components/table/column.ts'
import cells from '../../lib/cells.module.css'
import { send } from '../../lib/http.ts'
import { ActionButton } from '../../resources/action-button.tsx'
import { formatDateTime } from '../../lib/format/date-time.format.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { useHealth, type SyncAccounts, type SyncAccountRow } from './health.query.ts'
import { getHealthState, getProblem } from './health.state.ts'
import classes from './syncs.module.css'
import { syncTexts as texts } from './syncs.texts.ts'
import { queryKeys } from '../../lib/query-keys.ts'

const RunsDialog = lazy(async () => ({ default: (await import('./runs-dialog.tsx')).RunsDialog }))

/**
 * The column with the sync state of an account, a button that runs a sync now, and one that shows the runs.
 */
export const createHealthColumn = (
  accounts: SyncAccounts,
): Column<ReceivedRow<SyncAccountRow>> & { feature: Feature } => ({
  key: 'health',
  feature: 'fetching',
  header: texts.column,
  // A host that announces the feature answers the row completely.
  cell: (row) =>
    row.health === undefined ? missingValue : <HealthCell accounts={accounts} row={row as SyncAccountRow} />,
  phone: 'line',
})

function HealthCell({ accounts, row }: { accounts: SyncAccounts; row: SyncAccountRow }) {
  const { time_zone: zone } = useSettings()
  const [areRunsOpen, setAreRunsOpen] = useState(false)
  // Screen readers announce the states of a run that was requested here, up to its result.
  const [isAnnounced, setIsAnnounced] = useState(false)
  const closeRuns = () => setAreRunsOpen(false)
  const { health, isRunRequested, followRun } = useHealth(accounts, row)
  const followRequestedRun = (previousRunId: number | undefined) => {
    setIsAnnounced(true)
    followRun(previousRunId)
  }
  const formatTime = (iso: string) => formatDateTime(iso, zone, 'short')
  const state = getHealthState(health, isRunRequested, formatTime)
  const problem = isRunRequested ? null : getProblem(health)
  const run = health?.last_run
  const rows = run?.counts.rows
  const summary = [
    ...(run ? [formatTime(run.started_at)] : []),
    ...(rows === undefined ? [] : [texts.rows({ count: rows })]),
    ...(health && !health.running && !isRunRequested
      ? [texts.next({ time: formatTime(health.next_run_at) })]
      : []),
  ]
  return (
    <div className={classes.health}>
      <div className={classes.state}>
        <span aria-live={isAnnounced ? 'polite' : 'off'}>
          <Badge tone={state.tone}>{state.text}</Badge>
        </span>
        <small>{summary.join(' · ') || '\u00a0'}</small>
        {problem !== null && (
          <small className={classes.problem} title={problem}>
            {problem}
          </small>
        )}
      </div>
      <div className={classes.buttons}>
        {health?.gap && accounts.closeGap && (
          <GapButton accounts={accounts} row={row} gap={health.gap} formatTime={formatTime} />
        )}
        <RunButton accounts={accounts} row={row} onRequested={followRequestedRun} />
        <Button className={cells.inRow} onClick={() => setAreRunsOpen(true)}>
          {texts.runs}
          <span className="visually-hidden">{row.name}</span>
        </Button>
      </div>
      <LazyDialog opened={areRunsOpen} onClose={closeRuns}>
        <RunsDialog
          accounts={accounts}
          row={row}
          requestedOrders={health?.requested_orders ?? null}
          onRequested={followRequestedRun}
          opened={areRunsOpen}
          onClose={closeRuns}
        />
      </LazyDialog>
    </div>
  )
}

type GapButtonProps = {
  accounts: SyncAccounts
  row: SyncAccountRow
  gap: { from: string; to: string }
  formatTime: (iso: string) => string
}

/** Says which orders may be missing. Removes the mark after a person has compared the orders. */
function GapButton({ accounts, row, gap, formatTime }: GapButtonProps) {
  const client = useQueryClient()
  const closeGap = async () => {
    if (accounts.closeGap) await send(accounts.closeGap, { params: { id: row.id } })
  }
  const reloadList = () =>
    client.invalidateQueries({ queryKey: queryKeys.resourceLists(accounts.resource.name) })
  return (
    <ActionButton
      label={texts.gap}
      failureText={texts.gapFailed}
      name={row.name}
      inRow
      className={classes.gap}
      question={{
        text: texts.gapText({ from: formatTime(gap.from), to: formatTime(gap.to) }),
        reason: texts.gapReason,
        confirmLabel: texts.gapClose,
      }}
      run={closeGap}
      onSuccess={reloadList}
    />
  )
}

function RunButton({
  accounts,
  row,
  onRequested,
}: {
  accounts: SyncAccounts
  row: SyncAccountRow
  onRequested: (previousRunId: number | undefined) => void
}) {
  return (
    <ActionButton
      label={texts.run}
      loadingText={texts.asking}
      failureText={texts.runFailed}
      name={row.name}
      icon={<RefreshIcon size={15} />}
      inRow
      run={() => send(accounts.run, { params: { id: row.id } })}
      onSuccess={({ previous_run_id: previousRunId }) => onRequested(previousRunId)}
    />
  )
}
