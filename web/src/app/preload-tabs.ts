import type { AppPage } from './app-pages.ts'
import type { ListSearch } from '../lib/table-state.ts'

/**
 * Fetches the code of a tab together with that of its page, when the pointer or the focus comes to a link. A page that opens
 * loads its tab itself.
 */
export const preloadTabs = (loadTabs: NonNullable<AppPage['loadTabs']>) => ({
  loaderDeps: ({ search }: { search: ListSearch }) => ({ tab: search.tab }),
  loader: async ({ deps, preload }: { deps: { tab: string | undefined }; preload: boolean }) => {
    if (!preload) return
    const preloadTab = await loadTabs()
    preloadTab(deps.tab)
  },
})
