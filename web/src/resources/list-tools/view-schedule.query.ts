import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { SavedView } from '@karvon/contract/saved-views/saved-views.list.ts'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { queryKeys } from '../../lib/query-keys.ts'
import { createViewsQuery } from './saved-views.query.ts'

/** Milliseconds between two reloads while a message waits. */
const pollIntervalMs = 2000

/** The view as the server has it now. `opened`: as it was when its schedule opened. */
export function useCurrentView(opened: SavedView): SavedView {
  const find = (views: readonly SavedView[] = []) => views.find(({ id }) => id === opened.id)
  const { data } = useQuery({
    ...createViewsQuery(opened.screen),
    refetchInterval: ({ state }) =>
      find(state.data?.items)?.schedule?.last_message?.status === 'queued' ? pollIntervalMs : false,
  })
  return find(data?.items) ?? opened
}

/** Returns a function that says what was done and loads the views again. */
export function useDoneNotice(): (title: string) => Promise<void> {
  const toasts = useToasts()
  const client = useQueryClient()
  return async (title) => {
    toasts.show({ title })
    await client.invalidateQueries({ queryKey: queryKeys.savedViews })
  }
}
