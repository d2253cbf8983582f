import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import type { SavedView } from '@karvon/contract/saved-views/saved-views.list.ts'
import { ErrorState } from '../../components/display/empty-state.tsx'
import { useUiTexts } from '../../components/texts.ts'
import { useErrorMessage } from '../error-message.ts'
import { getPanelTexts } from './panel-texts.ts'
import classes from './list-tools.module.css'
import { SavedViewForm, type ViewFormTask } from './saved-views.form.tsx'
import { type PanelTask, ViewList, ViewTasks } from './saved-views.menu.tsx'
import { useScreenViews } from './saved-views.query.ts'
import { useViewTask } from './saved-views.task.hook.ts'
import { ScheduleDialog } from './view-schedule.dialog.tsx'

type SavedViewsProps = { isRussian: boolean }
type PanelProps = SavedViewsProps & {
  onClose: () => void
  /** Shows the dialog of a schedule. Undefined where views have none. */
  onSchedule: ((dialog: ReactNode) => void) | undefined
}

let openings = 0

/** Each opening is a new dialog. */
function createScheduleDialog(view: SavedView, isRussian: boolean): ReactNode {
  openings += 1
  return <ScheduleDialog key={openings} view={view} isRussian={isRussian} />
}

/** The name of the open view, and whether the address differs from it. */
export function CurrentViewName({ isRussian, fallback }: SavedViewsProps & { fallback: string }) {
  const { current, isChanged } = useScreenViews()
  if (current === undefined) return fallback
  const text = isChanged ? getPanelTexts(isRussian).changed({ name: current.name }) : current.name
  return <span title={text}>{text}</span>
}

/** The views of the screen, and what can be done with the open one. */
export function SavedViewsPanel({ isRussian, onClose, onSchedule }: PanelProps) {
  const texts = getPanelTexts(isRussian)
  const screen = useScreenViews()
  const { views, current, error } = screen
  const ui = useUiTexts()
  const reason = useErrorMessage()
  const [formTask, setFormTask] = useState<ViewFormTask | null>(null)
  const { panel, isRunning, failure, run } = useViewTask(screen, onClose)

  if (views === undefined && error !== null)
    return (
      <ErrorState
        failure={{ message: texts.loadFailed, reason: reason(error) }}
        onRetry={() => void screen.reload()}
      />
    )
  if (views === undefined) return <p>{ui.loading}</p>
  if (formTask !== null)
    return (
      <Panel key={formTask}>
        <SavedViewForm
          task={formTask}
          screen={screen}
          texts={texts}
          onBack={() => setFormTask(null)}
          onDone={onClose}
        />
      </Panel>
    )

  const start = (task: PanelTask) => {
    if (task === 'schedule') {
      onClose()
      if (current !== undefined) onSchedule?.(createScheduleDialog(current, isRussian))
    } else if (task === 'update' || task === 'default') void run(task)
    else setFormTask(task)
  }
  const open = (view: SavedView | undefined) => {
    screen.open(view)
    onClose()
  }
  return (
    <Panel ref={panel}>
      <ViewList views={views} current={current} texts={texts} onOpen={open} />
      <hr />
      <ViewTasks
        screen={screen}
        texts={texts}
        isRussian={isRussian}
        hasSchedules={onSchedule !== undefined}
        onStart={start}
      />
      {isRunning && <p role="status">{ui.loading}</p>}
      {failure !== null && <p role="alert">{failure}</p>}
    </Panel>
  )
}

/** The first control gets the focus. */
function Panel({ ref, children }: { ref?: RefObject<HTMLDivElement | null>; children: ReactNode }) {
  const ownRef = useRef<HTMLDivElement>(null)
  const panel = ref ?? ownRef
  useEffect(() => panel.current?.querySelector<HTMLElement>('input, button')?.focus(), [panel])
  return (
    <div ref={panel} className={classes.panel}>
      {children}
    </div>
  )
}
