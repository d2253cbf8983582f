import { lazy, useState, type ReactNode } from 'react'
import { LazyPart } from '../../components/lazy-part.tsx'
import { useSearch } from '@tanstack/react-router'
import { ColumnsIcon } from '../../components/actions/icons.tsx'
import type { ListSearch, TableControl } from '../../lib/table-state.ts'
import { WithFeature, WithFeatureSpace } from '../feature.tsx'
import type { ChoosableColumn } from '../../components/table/column.ts'
import { listToolsTexts, russianListToolsTexts } from './list-tools.texts.ts'
import { PanelButton } from './panel-button.tsx'
import { DefaultView } from './saved-views.default.tsx'

const loadViews = () => import('./saved-views.panel.tsx')
const loadColumns = () => import('./columns.panel.tsx')
const SavedViewsPanel = lazy(async () => ({ default: (await loadViews()).SavedViewsPanel }))
const CurrentViewName = lazy(async () => ({ default: (await loadViews()).CurrentViewName }))
const ColumnsPanel = lazy(async () => ({ default: (await loadColumns()).ColumnsPanel }))

// A failure shows when the panel opens.
const preload = (load: () => Promise<unknown>) => () => void load().catch(() => undefined)

type ListToolsProps = {
  table?: TableControl
  /** The columns that the list of `table` declares. Without them there is no choice of columns. */
  columns?: readonly ChoosableColumn[] | undefined
  isRussian?: boolean
  /** Whether views of the screen can be sent on schedule. */
  canSchedule?: boolean
}

/** The buttons of saved views and columns. The code of their panels loads when the pointer or the focus comes near. */
export function ListTools({ table, columns, isRussian = false, canSchedule = false }: ListToolsProps) {
  const texts = isRussian ? russianListToolsTexts : listToolsTexts
  const search: ListSearch = useSearch({ strict: false })
  const { view_id: viewId } = search
  // The panel of views closes when its dialog opens.
  const [schedule, setSchedule] = useState<ReactNode>(null)
  const [isOpenedBare] = useState(() =>
    Object.keys(search).every((key) => key === 'tab' || (key === 'view' && search.tab !== undefined)),
  )
  return (
    <>
      {isOpenedBare && (
        <WithFeature feature="saved_views">
          <DefaultView />
        </WithFeature>
      )}
      <WithFeatureSpace feature="saved_views">
        <PanelButton
          label={texts.views}
          value={
            viewId === undefined ? undefined : (
              <LazyPart fallback={texts.views} failure={texts.views}>
                <CurrentViewName fallback={texts.views} isRussian={isRussian} />
              </LazyPart>
            )
          }
          preload={preload(loadViews)}
          renderPanel={(close) => (
            <SavedViewsPanel
              isRussian={isRussian}
              onClose={close}
              onSchedule={canSchedule ? setSchedule : undefined}
            />
          )}
        />
      </WithFeatureSpace>
      {schedule}
      {table !== undefined && columns !== undefined && columns.length > 1 && (
        <WithFeatureSpace feature="saved_views">
          <PanelButton
            label={texts.columns}
            icon={<ColumnsIcon size={17} />}
            preload={preload(loadColumns)}
            renderPanel={() => <ColumnsPanel table={table} columns={columns} isRussian={isRussian} />}
          />
        </WithFeatureSpace>
      )}
    </>
  )
}
