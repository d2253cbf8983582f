import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { SavedView } from '@karvon/contract/saved-views/saved-views.list.ts'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { queryKeys } from '../../lib/query-keys.ts'
import { createViewsQuery } from './saved-views.query.ts'

/** Milliseconds between two reloads while a message waits. */
const pollIntervalMs = 2000

/** The view as the server has it now. `openedView`: as it was when its schedule opened. */
export function useCurrentView(openedView: SavedView): SavedView {
  const find = (views: readonly SavedView[] = []) => views.find(({ id }) => id === openedView.id)
  const { data } = useQuery({
    ...createViewsQuery(openedView.screen),
    refetchInterval: ({ state }) =>
      find(state.data?.items)?.schedule?.last_message?.status === 'queued' ? pollIntervalMs : false,
  })
  return find(data?.items) ?? openedView
}

/** Returns a function that says what was done and loads the views again. */
export function useToastAndReload(): (title: string) => Promise<void> {
  const toasts = useToasts()
  const client = useQueryClient()
  return async (title) => {
    toasts.show({ title })
    await client.invalidateQueries({ queryKey: queryKeys.savedViews })
  }
}
