import { lazy, Suspense, useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Feature } from '@karvon/contract/lib/features.ts'
import type { ReceivedRow } from '@karvon/contract/lib/received.ts'
import { Button } from '../../components/actions/button.tsx'
import { RefreshIcon } from '../../components/actions/icons.tsx'
import { Badge } from '../../components/display/badge.tsx'
import { useDialogs } from '../../components/overlay/dialogs.tsx'
import type { Column } from '../../components/table/column.ts'
import cells from '../../lib/cells.module.css'
import { reasonOf, send } from '../../lib/http.ts'
import { useKeptFocus } from '../../components/kept-focus.hook.ts'
import { formatMoment } from '../../lib/format/moment.format.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { useHealth, type SyncAccounts, type SyncedRow } from './health.query.ts'
import { healthState, troubleOf } from './health.state.ts'
import classes from './syncs.module.css'
import { syncTexts as texts } from './syncs.texts.ts'

const RunsDialog = lazy(async () => ({ default: (await import('./runs-dialog.tsx')).RunsDialog }))

/** The column that says how fetching for an account fares, with its run now and its runs so far. */
export const healthColumn = (of: SyncAccounts): Column<ReceivedRow<SyncedRow>> & { feature: Feature } => ({
  key: 'health',
  feature: 'fetching',
  header: texts.column,
  // A host that announces the feature answers such a row whole.
  cell: (row) => (row.health === undefined ? texts.none : <HealthCell of={of} row={row as SyncedRow} />),
  phone: 'line',
})

function HealthCell({ of, row }: { of: SyncAccounts; row: SyncedRow }) {
  const { time_zone: zone } = useSettings()
  // Its code is fetched on the first opening and stays, so that closing can be seen.
  const [runs, setRuns] = useState<'unused' | 'opened' | 'closed'>('unused')
  const { health, asked, follow } = useHealth(of, row)
  const moment = (iso: string) => formatMoment(iso, zone, 'short')
  const state = healthState(health, asked, moment)
  const trouble = asked ? null : troubleOf(health)
  const run = health?.last_run
  const rows = run?.counts.rows
  const line = [
    ...(run ? [moment(run.started_at)] : []),
    ...(rows === undefined ? [] : [texts.rows(rows)]),
    ...(health && !health.running && !asked ? [texts.next(moment(health.next_run_at))] : []),
  ]
  return (
    <div className={classes.health}>
      <div className={classes.state}>
        <span aria-live={asked || health?.running ? 'polite' : 'off'}>
          <Badge tone={state.tone}>{state.text}</Badge>
        </span>
        <small>{line.join(' · ') || '\u00a0'}</small>
        {trouble !== null && (
          <small className={classes.trouble} title={trouble}>
            {trouble}
          </small>
        )}
      </div>
      <div className={classes.buttons}>
        {health?.gap && of.closeGap && <GapButton of={of} row={row} gap={health.gap} moment={moment} />}
        <RunButton of={of} row={row} onAsked={follow} />
        <Button className={cells.inRow} onClick={() => setRuns('opened')}>
          {texts.runs}
          <span className="visually-hidden">{row.name}</span>
        </Button>
      </div>
      {runs !== 'unused' && (
        <Suspense>
          <RunsDialog of={of} row={row} opened={runs === 'opened'} onClose={() => setRuns('closed')} />
        </Suspense>
      )}
    </div>
  )
}

type GapButtonProps = {
  of: SyncAccounts
  row: SyncedRow
  gap: { from: string; to: string }
  moment: (iso: string) => string
}

/** Says which orders may be missing, and takes the mark away once somebody has compared them. */
function GapButton({ of, row, gap, moment }: GapButtonProps) {
  const dialogs = useDialogs()
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      if (of.closeGap) await send(of.closeGap, { params: { id: row.id } })
      await client.invalidateQueries({ queryKey: ['resource', of.resource.name, 'list'] })
    },
    onError: (error) => dialogs.alert(texts.gapFailed, reasonOf(error)),
  })
  const ask = async () => {
    const text = texts.gapText(moment(gap.from), moment(gap.to))
    if (await dialogs.confirm(text, { confirmLabel: texts.gapClose, reason: texts.gapReason })) mutate()
  }
  return (
    <Button className={`${cells.inRow} ${classes.gap}`} loading={isPending} onClick={() => void ask()}>
      {texts.gap}
      <span className="visually-hidden">{row.name}</span>
    </Button>
  )
}

function RunButton({ of, row, onAsked }: { of: SyncAccounts; row: SyncedRow; onAsked: () => void }) {
  const dialogs = useDialogs()
  const { mutate, isPending } = useMutation({
    mutationFn: () => send(of.run, { params: { id: row.id } }),
    onSuccess: onAsked,
    onError: (error) => dialogs.alert(texts.runFailed, reasonOf(error)),
  })
  const button = useKeptFocus(isPending)
  return (
    <Button
      ref={button}
      className={cells.inRow}
      icon={<RefreshIcon size={15} />}
      loading={isPending}
      loadingText={texts.asking}
      onClick={() => mutate()}
    >
      {texts.run}
      <span className="visually-hidden">{row.name}</span>
    </Button>
  )
}
