import type { SavedView } from '@karvon/contract/saved-views/saved-views.list.ts'
import menuClasses from '../../components/actions/menu.module.css'
import { isAdmin, useSession } from '../../lib/session.store.ts'
import { useFeature } from '../../lib/settings.store.ts'
import type { panelTexts } from './list-tools.panel.texts.ts'
import { getScheduleTexts } from './panel-texts.ts'
import type { ViewTask } from './saved-views.form.tsx'
import type { ScreenViews } from './saved-views.query.ts'

type ViewListProps = {
  views: readonly SavedView[]
  current: SavedView | undefined
  texts: typeof panelTexts
  /** Undefined: the screen without a view. */
  onOpen: (view: SavedView | undefined) => void
}

/** The person's own views and the shared ones. */
export function ViewList({ views, current, texts, onOpen }: ViewListProps) {
  const groups = [
    { label: texts.own, views: views.filter(({ is_own }) => is_own) },
    { label: texts.shared, views: views.filter(({ is_own }) => !is_own) },
  ].filter((group) => group.views.length > 0)
  return (
    <>
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
                  onClick={() => onOpen(view)}
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
        <button type="button" className={menuClasses.item} onClick={() => onOpen(undefined)}>
          {texts.noView}
        </button>
      )}
    </>
  )
}

/** What a person can start in the panel. */
export type PanelTask = ViewTask | 'schedule'

type ViewTasksProps = {
  screen: ScreenViews
  texts: typeof panelTexts
  isRussian: boolean
  /** Whether views of the screen can be sent on schedule. */
  hasSchedules: boolean
  onStart: (task: PanelTask) => void
}

/** What a person can do with the address and with the open view. */
export function ViewTasks({ screen, texts, isRussian, hasSchedules, onStart }: ViewTasksProps) {
  const { address, current, isChanged } = screen
  const admin = isAdmin(useSession())
  const canSchedule = useFeature('view_schedules') && hasSchedules
  const isOwn = current?.is_own === true
  const tasks: [PanelTask, string, boolean][] = [
    ['save', texts.saveAs, address !== null],
    ['update', texts.update, isOwn && isChanged],
    ['rename', texts.rename, isOwn],
    ['share', texts.share, isOwn && admin],
    ['schedule', getScheduleTexts(isRussian).open, isOwn && canSchedule],
    ['default', current?.is_default === true ? texts.endDefault : texts.makeDefault, current !== undefined],
    ['remove', texts.remove, isOwn],
  ]
  return tasks
    .filter(([_task, _label, isPossible]) => isPossible)
    .map(([task, label]) => (
      <button
        key={task}
        type="button"
        className={menuClasses.item}
        data-tone={task === 'remove' ? 'danger' : undefined}
        onClick={() => onStart(task)}
      >
        {label}
      </button>
    ))
}
