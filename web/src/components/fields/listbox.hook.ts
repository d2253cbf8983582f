import { useEffect, useEffectEvent, useId, useState } from 'react'
import type { Option } from './radio-group.tsx'
import { searchDelay } from './search-box.tsx'

/** Asks the server for the options that match; rejections show as no options. */
export type OptionSearch = (query: string) => Promise<readonly Option[]>

// More are never drawn at once; typing narrows them.
const most = 200

type ListboxInput = {
  options: readonly Option[]
  onSearch: OptionSearch | undefined
  searchable: boolean
  disabled: boolean
  selected: readonly string[]
  onPick: (option: Option) => void
  /** A multiselect stays open after a pick. */
  keepOpen?: boolean
}

type Found = { query: string; options: readonly Option[] }

function matching(options: readonly Option[], query: string): readonly Option[] {
  const wanted = query.trim().toLocaleLowerCase()
  const found = wanted ? options.filter(({ label }) => label.toLocaleLowerCase().includes(wanted)) : options
  return found.length > most ? found.slice(0, most) : found
}

/** The state and keyboard of a combobox with its list of options. */
export function useListbox(input: ListboxInput) {
  const { options, onSearch, searchable, disabled, selected, onPick, keepOpen = false } = input
  const id = useId()
  const [opened, setOpened] = useState(false)
  const [query, setQuery] = useState('')
  const [moved, setMoved] = useState<number | null>(null)
  const [found, setFound] = useState<Found | null>(null)
  // Options chosen from an earlier search keep their labels.
  const [known, setKnown] = useState<readonly Option[]>([])

  const remote = onSearch !== undefined && (query !== '' || options.length === 0)
  const ask = useEffectEvent((text: string) => onSearch?.(text) ?? Promise.resolve([]))
  useEffect(() => {
    if (!opened || !remote) return
    let stale = false
    const settle = (list: readonly Option[]) => {
      if (!stale) setFound({ query, options: list })
    }
    const timer = setTimeout(
      () => void ask(query).then(settle, () => settle([])),
      query === '' ? 0 : searchDelay,
    )
    return () => {
      stale = true
      clearTimeout(timer)
    }
  }, [opened, remote, query])

  const loading = opened && remote && found?.query !== query
  const shown = remote ? (found?.options.slice(0, most) ?? []) : matching(options, query)
  const firstSelected = shown.findIndex(({ value }) => selected.includes(value))
  const active = Math.min(moved ?? Math.max(firstSelected, 0), shown.length - 1)

  useEffect(() => {
    if (opened) document.getElementById(`${id}o${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [opened, active, id])

  const open = () => {
    if (!disabled) setOpened(true)
  }
  const close = () => {
    setOpened(false)
    setQuery('')
    setMoved(null)
  }
  const pick = (option: Option | undefined) => {
    if (!option || option.disabled) return
    setKnown((before) => [...before.filter(({ value }) => value !== option.value), option])
    onPick(option)
    if (!keepOpen) close()
  }
  const search = (text: string) => {
    setQuery(text)
    setMoved(0)
    open()
  }
  const labelOf = (value: string) =>
    [...options, ...known, ...(found?.options ?? [])].find((option) => option.value === value)?.label

  const jumpTo = (letter: string) => {
    const after = [...shown.slice(active + 1), ...shown.slice(0, active + 1)]
    const hit = after.find(({ label }) => label.toLocaleLowerCase().startsWith(letter.toLocaleLowerCase()))
    if (hit) setMoved(shown.indexOf(hit))
    open()
  }

  const onKeyDown = (event: React.KeyboardEvent) => {
    const { key } = event
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      if (!opened) open()
      else if (shown.length > 0) setMoved((active + step + shown.length) % shown.length)
    } else if (key === 'Enter' || (key === ' ' && !searchable)) {
      event.preventDefault()
      if (opened) pick(shown[active])
      else open()
    } else if (key === 'Escape' && opened) {
      event.preventDefault()
      close()
    } else if (key === 'Tab') close()
    else if (opened && !searchable && (key === 'Home' || key === 'End')) {
      event.preventDefault()
      setMoved(key === 'Home' ? 0 : shown.length - 1)
    } else if (!searchable && key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey)
      jumpTo(key)
  }

  return {
    id,
    opened,
    query,
    shown,
    active,
    loading,
    known,
    open,
    close,
    pick,
    search,
    labelOf,
    onKeyDown,
    /** The attributes of the input that owns the list. */
    combobox: {
      role: 'combobox',
      autoComplete: 'off',
      spellCheck: false,
      'aria-haspopup': 'listbox',
      'aria-expanded': opened,
      'aria-autocomplete': searchable ? 'list' : 'none',
      'aria-controls': opened ? `${id}list` : undefined,
      'aria-activedescendant': opened && active >= 0 ? `${id}o${active}` : undefined,
    } as const,
  }
}

export type Listbox = ReturnType<typeof useListbox>
