import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation, useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import {
  getViewScreen,
  normaliseViewAddress,
  parseViewAddress,
} from '@karvon/contract/saved-views/address.ts'
import { maxPageSize } from '@karvon/contract/lib/limits.ts'
import { listSavedViews, type SavedView } from '@karvon/contract/saved-views/saved-views.list.ts'
import { send } from '../../lib/http.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import type { ListSearch } from '../../lib/table-state.ts'

/** Milliseconds for which the views of a screen count as fresh. */
const viewsStaleMs = 60_000

export interface ScreenViews {
  readonly screen: string
  /** Undefined before the answer. */
  readonly views: readonly SavedView[] | undefined
  readonly error: Error | null
  /** The view that was opened. */
  readonly current: SavedView | undefined
  /** The address as a view stores it. Null: too long for a view. */
  readonly address: string | null
  /** Whether the address differs from that of the current view. */
  readonly isChanged: boolean
  /** Opens a view; undefined: the screen without a view. Does nothing after the address has changed. */
  readonly open: (view: SavedView | undefined) => void
  /** Loads the views again after a change. */
  readonly reload: () => Promise<void>
}

/** The query of the saved views of a screen. A person has at most 100 views, and a role 50 shared ones of a screen. */
export const createViewsQuery = (screen: string) => ({
  queryKey: queryKeys.screenViews(screen),
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    send(listSavedViews, { query: { screen, limit: maxPageSize }, signal }),
})

/** The saved views of the screen, and the one that is open. */
export function useScreenViews(): ScreenViews {
  const { pathname, searchStr } = useLocation()
  const screen = getViewScreen(pathname + searchStr)
  const { view_id: viewId }: ListSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const router = useRouter()
  const client = useQueryClient()
  const { data, error } = useQuery({ ...createViewsQuery(screen), staleTime: viewsStaleMs })
  const views = data?.items
  const current = views?.find(({ id }) => String(id) === viewId)
  const address = normaliseViewAddress(pathname + searchStr)
  return {
    screen,
    views,
    error,
    current,
    address,
    isChanged: current !== undefined && current.address !== address,
    open: (view) => {
      const { latestLocation } = router
      if (latestLocation.pathname + latestLocation.searchStr !== pathname + searchStr) return
      const { search } = parseViewAddress(view?.address ?? screen)
      void navigate({
        to: '.',
        search: view === undefined ? search : { ...search, view_id: String(view.id) },
        resetScroll: false,
      })
    },
    reload: () => client.invalidateQueries({ queryKey: queryKeys.savedViews }),
  }
}
