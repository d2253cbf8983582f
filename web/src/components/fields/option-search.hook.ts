import { useEffect, useEffectEvent, useState } from 'react'
import { normalizeSearch } from '../../lib/search-text.ts'
import type { Option } from './options.ts'
import { searchDelay } from './search-box.tsx'

/** Loads the matching options from the server. A rejection shows that an error occurred. */
export type OptionSearch = (query: string) => Promise<readonly Option[]>

// The number of options that are drawn. Typing narrows them.
const maxShownOptions = 200

export type OptionSearchInput = {
  options: readonly Option[]
  onSearch: OptionSearch | undefined
  /** The options before typing are still loading. */
  isLoading?: boolean | undefined
}

/** The answer to a search, or its error without options. `query` is null before the first one. */
type Answer = { query: string | null; options: readonly Option[]; isError?: true }

function filterOptions(options: readonly Option[], query: string): readonly Option[] {
  const normalizedQuery = normalizeSearch(query)
  return normalizedQuery
    ? options.filter(({ label }) => normalizeSearch(label).includes(normalizedQuery))
    : options
}

/** The options that match what was typed: those of `options`, or those that the server finds while the list is open. */
export function useOptionSearch(input: OptionSearchInput, query: string, isOpen: boolean) {
  const { options, onSearch, isLoading = false } = input
  const [answer, setAnswer] = useState<Answer>({ query: null, options: [] })
  // The last pick is the first.
  const [pickedOptions, setPickedOptions] = useState<readonly Option[]>([])
  const isRemote = onSearch !== undefined && (query !== '' || options.length === 0)
  const requestOptions = useEffectEvent((text: string) => onSearch?.(text) ?? Promise.resolve([]))
  useEffect(() => {
    if (!isOpen || !isRemote) return
    let isStale = false
    const applyAnswer = (nextAnswer: Omit<Answer, 'query'>) => {
      if (!isStale) setAnswer({ query, ...nextAnswer })
    }
    const search = () =>
      void requestOptions(query).then(
        (list) => applyAnswer({ options: list }),
        () => applyAnswer({ options: [], isError: true }),
      )
    const timer = setTimeout(search, query === '' ? 0 : searchDelay)
    return () => {
      isStale = true
      clearTimeout(timer)
    }
  }, [isOpen, isRemote, query])

  // Until the answer comes, those of the last answer that match.
  const remoteOptions = answer.query === query ? answer.options : filterOptions(answer.options, query)
  return {
    shown: (isRemote ? remoteOptions : filterOptions(options, query)).slice(0, maxShownOptions),
    isError: isRemote && answer.query === query && answer.isError === true,
    loading: isOpen && (isRemote ? answer.query !== query : isLoading),
    labelOf: (value: string) =>
      [...options, ...pickedOptions, ...answer.options].find((option) => option.value === value)?.label,
    /** Keeps the label of an option that was picked, for when a later search does not find it. */
    keepLabel: (option: Option) => setPickedOptions((before) => [option, ...before]),
  }
}
