import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import type { SavedView } from '@karvon/contract/saved-views/saved-views.list.ts'
import menuClasses from '../../components/actions/menu.module.css'
import { ErrorState } from '../../components/display/empty-state.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { useUiTexts } from '../../components/texts.ts'
import { isAdmin, useSession } from '../../lib/session.store.ts'
import { useFeature } from '../../lib/settings.store.ts'
import { useErrorMessage } from '../error-message.ts'
import { getPanelTexts, getScheduleTexts } from './panel-texts.ts'
import classes from './list-tools.module.css'
import { runTask, SavedViewForm, type ViewFormTask, type ViewTask } from './saved-views.form.tsx'
import { useScreenViews } from './saved-views.query.ts'
import { ScheduleDialog } from './view-schedule.dialog.tsx'

type SavedViewsProps = { isRussian: boolean }
type PanelProps = SavedViewsProps & {
  onClose: () => void
  /** Shows the dialog of a schedule. Undefined where views have none. */
  onSchedule: ((dialog: ReactNode) => void) | undefined
}

type PanelTask = ViewTask | 'schedule'

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
  const admin = isAdmin(useSession())
  const canSchedule = useFeature('view_schedules') && onSchedule !== undefined
  const [task, setTask] = useState<ViewFormTask | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [isRunning, setIsRunning] = useState(false)
  const toasts = useToasts()
  const panel = useRef<HTMLDivElement>(null)

  if (views === undefined && error !== null)
    return (
      <ErrorState
        failure={{ message: texts.loadFailed, reason: reason(error) }}
        onRetry={() => void screen.reload()}
      />
    )
  if (views === undefined) return <p>{ui.loading}</p>
  if (task !== null)
    return (
      <Panel key={task}>
        <SavedViewForm
          task={task}
          screen={screen}
          texts={texts}
          onBack={() => setTask(null)}
          onDone={onClose}
        />
      </Panel>
    )

  const start = async (chosenTask: PanelTask) => {
    if (chosenTask === 'schedule') {
      onClose()
      if (current !== undefined) onSchedule?.(createScheduleDialog(current, isRussian))
      return
    }
    if (chosenTask !== 'update' && chosenTask !== 'default') {
      setTask(chosenTask)
      return
    }
    if (isRunning) return
    setIsRunning(true)
    setFailure(null)
    try {
      await runTask(chosenTask, { current, address: screen.address ?? '' })
      await screen.reload()
      if (panel.current) onClose()
    } catch (taskError) {
      if (panel.current === null) toasts.show({ title: reason(taskError), tone: 'danger' })
      setFailure(reason(taskError))
    } finally {
      setIsRunning(false)
    }
  }
  const open = (view: SavedView | undefined) => {
    screen.open(view)
    onClose()
  }
  const tasks: readonly [PanelTask, string][] = [
    ...(screen.address === null ? [] : [['save', texts.saveAs] as const]),
    ...(current?.is_own === true
      ? ([
          ...(screen.isChanged ? [['update', texts.update] as const] : []),
          ['rename', texts.rename],
          ...(admin ? [['share', texts.share] as const] : []),
          ...(canSchedule ? [['schedule', getScheduleTexts(isRussian).open] as const] : []),
        ] as const)
      : []),
    ...(current === undefined
      ? []
      : [['default', current.is_default ? texts.endDefault : texts.makeDefault] as const]),
    ...(current?.is_own === true ? [['remove', texts.remove] as const] : []),
  ].map(([panelTask, label]) => [panelTask, label])
  const groups = [
    { label: texts.own, views: views.filter(({ is_own }) => is_own) },
    { label: texts.shared, views: views.filter(({ is_own }) => !is_own) },
  ].filter((group) => group.views.length > 0)
  return (
    <Panel ref={panel}>
      {views.length === 0 && <p>{texts.none}</p>}
      {groups.map((group) => (
        <section key={group.label} aria-label={group.label}>
          <p aria-hidden="true">{group.label}</p>
          <ul>
            {group.views.map((view) => (
              <li key={view.id}>
                <button
                  type="button"
                  className={menuClasses.item}
                  aria-current={view === current || undefined}
                  onClick={() => open(view)}
                >
                  {view.name}
                  {view.is_default && <small>{texts.isDefault}</small>}
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {current !== undefined && (
        <button type="button" className={menuClasses.item} onClick={() => open(undefined)}>
          {texts.noView}
        </button>
      )}
      <hr />
      {tasks.map(([panelTask, label]) => (
        <button
          key={panelTask}
          type="button"
          className={menuClasses.item}
          data-tone={panelTask === 'remove' ? 'danger' : undefined}
          onClick={() => void start(panelTask)}
        >
          {label}
        </button>
      ))}
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
