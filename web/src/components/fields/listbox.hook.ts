import { useEffect, useEffectEvent, useId, useState } from 'react'
import type { Option } from './radio-group.tsx'
import { searchDelay } from './search-box.tsx'

/** Loads the matching options from the server. A rejection shows no options. */
export type OptionSearch = (query: string) => Promise<readonly Option[]>

// The number of options that are drawn. Typing narrows them.
const maxShownOptions = 200

type ListboxInput = {
  options: readonly Option[]
  onSearch: OptionSearch | undefined
  /** The options before typing are still loading. */
  isLoading?: boolean | undefined
  searchable: boolean
  disabled: boolean
  selected: readonly string[]
  onPick: (option: Option) => void
  /** Keeps the list open after a pick, for a multiselect. */
  keepOpen?: boolean
}

type FoundOptions = { query: string; options: readonly Option[] }

function filterOptions(options: readonly Option[], query: string): readonly Option[] {
  const normalizedQuery = query.trim().toLocaleLowerCase()
  const matchingOptions = normalizedQuery
    ? options.filter(({ label }) => label.toLocaleLowerCase().includes(normalizedQuery))
    : options
  return matchingOptions.length > maxShownOptions
    ? matchingOptions.slice(0, maxShownOptions)
    : matchingOptions
}

/** The state and keyboard of a combobox with its list of options. */
export function useListbox(input: ListboxInput) {
  const { options, onSearch, isLoading, searchable, disabled, selected, onPick, keepOpen = false } = input
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  const [query, setQuery] = useState('')
  const [activeIndex, setActiveIndex] = useState<number | null>(null)
  // Enter was pressed while the options were loading. The list stays open until then, also when the field loses the focus.
  const [isPickPending, setIsPickPending] = useState(false)
  const [foundOptions, setFoundOptions] = useState<FoundOptions | null>(null)
  // Options that were picked in an earlier search keep their labels.
  const [pickedOptions, setPickedOptions] = useState<readonly Option[]>([])

  const isRemote = onSearch !== undefined && (query !== '' || options.length === 0)
  const requestOptions = useEffectEvent((text: string) => onSearch?.(text) ?? Promise.resolve([]))
  useEffect(() => {
    if (!isOpen || !isRemote) return
    let isStale = false
    const applyOptions = (list: readonly Option[]) => {
      if (!isStale) setFoundOptions({ query, options: list })
    }
    const timer = setTimeout(
      () => void requestOptions(query).then(applyOptions, () => applyOptions([])),
      query === '' ? 0 : searchDelay,
    )
    return () => {
      isStale = true
      clearTimeout(timer)
    }
  }, [isOpen, isRemote, query])

  const loading = isOpen && (isRemote ? foundOptions?.query !== query : isLoading === true)
  const shownOptions = isRemote
    ? (foundOptions?.options.slice(0, maxShownOptions) ?? [])
    : filterOptions(options, query)
  const firstSelected = shownOptions.findIndex(({ value }) => selected.includes(value))
  const active = Math.min(activeIndex ?? Math.max(firstSelected, 0), shownOptions.length - 1)

  useEffect(() => {
    if (isOpen) document.getElementById(`${id}o${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [isOpen, active, id])

  const open = () => {
    if (!disabled) setIsOpen(true)
  }
  const close = () => {
    setIsOpen(false)
    setQuery('')
    setActiveIndex(null)
    setIsPickPending(false)
  }
  const leave = () => {
    if (!isPickPending) close()
  }
  const pick = (option: Option | undefined) => {
    if (!option || option.disabled) return
    setPickedOptions((before) => [...before.filter(({ value }) => value !== option.value), option])
    onPick(option)
    if (!keepOpen) close()
  }
  const search = (text: string) => {
    setQuery(text)
    setActiveIndex(0)
    setIsPickPending(false)
    open()
  }
  const pickLoaded = useEffectEvent(() => {
    setIsPickPending(false)
    pick(shownOptions[active])
    if (document.activeElement?.getAttribute('aria-controls') !== `${id}list`) close()
  })
  useEffect(() => {
    if (!isPickPending || loading) return
    const timer = setTimeout(() => pickLoaded())
    return () => clearTimeout(timer)
  }, [isPickPending, loading])
  const labelOf = (value: string) =>
    [...options, ...pickedOptions, ...(foundOptions?.options ?? [])].find((option) => option.value === value)
      ?.label

  const moveToLetter = (letter: string) => {
    const after = [...shownOptions.slice(active + 1), ...shownOptions.slice(0, active + 1)]
    const match = after.find(({ label }) => label.toLocaleLowerCase().startsWith(letter.toLocaleLowerCase()))
    if (match) setActiveIndex(shownOptions.indexOf(match))
    open()
  }

  const onKeyDown = (event: React.KeyboardEvent) => {
    const { key } = event
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      if (!isOpen) open()
      else if (shownOptions.length > 0)
        setActiveIndex((active + step + shownOptions.length) % shownOptions.length)
    } else if (key === 'Enter' || (key === ' ' && !searchable)) {
      event.preventDefault()
      if (!isOpen) open()
      else if (loading) setIsPickPending(true)
      else pick(shownOptions[active])
    } else if (key === 'Escape' && isOpen) {
      event.preventDefault()
      close()
    } else if (key === 'Tab') leave()
    else if (isOpen && !searchable && (key === 'Home' || key === 'End')) {
      event.preventDefault()
      setActiveIndex(key === 'Home' ? 0 : shownOptions.length - 1)
    } else if (!searchable && key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey)
      moveToLetter(key)
  }

  return {
    id,
    opened: isOpen,
    query,
    shown: shownOptions,
    active,
    loading,
    known: pickedOptions,
    open,
    close,
    leave,
    pick,
    search,
    labelOf,
    onKeyDown,
    /** The attributes of the input that owns the list. */
    combobox: {
      role: 'combobox',
      autoComplete: 'off',
      spellCheck: 'false',
      'aria-haspopup': 'listbox',
      'aria-expanded': isOpen,
      'aria-autocomplete': searchable ? 'list' : 'none',
      'aria-controls': isOpen ? `${id}list` : undefined,
      'aria-activedescendant': isOpen && active >= 0 ? `${id}o${active}` : undefined,
    } as const,
  }
}

export type Listbox = ReturnType<typeof useListbox>
