import { useEffect, useState } from 'react'
import { useQueries, type UseQueryResult } from '@tanstack/react-query'
import type { AppSettings } from '@karvon/contract/app/app.ts'
import { searchDelay } from '../components/fields/search-box.tsx'
import { queryKeys } from '../lib/query-keys.ts'
import { normalizeSearch } from '../lib/search-text.ts'
import { isAnnounced, useSettings } from '../lib/settings.store.ts'
import { adminSources, isSearchable, personSources, type FinderResult } from './finder.search.ts'
import { adminSections, filterAvailablePages, ownPages, personPages, type NavPage } from './navigation.ts'

/** The pages that a person can open. */
function listPages(admin: boolean, settings: AppSettings): FinderResult[] {
  const toResults = (pages: readonly NavPage[], note: string): FinderResult[] =>
    filterAvailablePages(pages, settings).map(({ label, to, tab }) => ({
      key: `${to} ${tab ?? ''}`,
      label,
      note,
      to,
      search: tab ? { tab } : {},
    }))
  return [
    ...(admin
      ? adminSections.flatMap(({ pages, label }) => toResults(pages, label))
      : toResults(personPages, '')),
    ...toResults(ownPages, ''),
  ]
}

// A constant function keeps the identity of equal results.
const combineResults = (queries: readonly UseQueryResult<FinderResult[]>[]) => ({
  rows: queries.flatMap(({ data }) => data ?? []),
  isFetching: queries.some(({ isFetching }) => isFetching),
  isError: queries.some(({ isError }) => isError),
})

/**
 * The pages that match the typed text, and then the rows, once the person stops typing. `isCurrent`: the rows, or those that
 * are still loading, are those of the typed text.
 */
export function useFinderResults(admin: boolean, typedText: string) {
  const settings = useSettings()
  const [search, setSearch] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typedText.trim()), searchDelay)
    return () => clearTimeout(timer)
  }, [typedText])
  const sources = (admin ? adminSources : personSources).filter(({ feature }) =>
    isAnnounced(feature, settings),
  )
  // One query for each source: a source that is slow or fails holds up no other.
  const answers = useQueries({
    queries: sources.map(({ name, find }) => ({
      queryKey: queryKeys.finder(name, search),
      queryFn: ({ signal }: { signal: AbortSignal }) => find(search, signal),
      enabled: isSearchable(search),
    })),
    combine: combineResults,
  })

  const query = normalizeSearch(typedText)
  const pages = listPages(admin, settings).filter(({ label, note }) =>
    normalizeSearch(`${label} ${note}`).includes(query),
  )
  return {
    results: [...pages, ...(query.length > 1 ? answers.rows : [])],
    pageCount: pages.length,
    isFetching: answers.isFetching,
    isError: answers.isError,
    isCurrent: search === typedText.trim(),
  }
}
