import { useEffect, useId, useState } from 'react'
import { useActionWhen } from '../action-when.hook.ts'
import { type OptionSearchInput, useOptionSearch } from './option-search.hook.ts'
import type { Option } from './options.ts'

type ListboxInput = OptionSearchInput & {
  searchable: boolean
  disabled: boolean
  selected: readonly string[]
  onPick: (option: Option) => void
  /** Keeps the list open after a pick, for a multiselect. */
  keepOpen?: boolean
}

/** The state and keyboard of a combobox with its list of options. */
export function useListbox(input: ListboxInput) {
  const { searchable, disabled, selected, onPick, keepOpen = false } = input
  const id = useId()
  const [isOpen, setIsOpen] = useState(false)
  const [query, setQuery] = useState('')
  // While options load, steps may go beyond the options that are there. They count when the others come.
  const [activeIndex, setActiveIndex] = useState<number | null>(null)
  // Enter was pressed while the options were loading. The list stays open until then, also when the field loses the focus.
  const [isPickPending, setIsPickPending] = useState(false)
  const { shown, isError, loading, labelOf, keepLabel } = useOptionSearch(input, query, isOpen)
  const firstSelected = shown.findIndex(({ value }) => selected.includes(value))
  const chosenIndex = activeIndex ?? Math.max(firstSelected, 0)
  const active = chosenIndex < 0 ? shown.length - 1 : Math.min(chosenIndex, shown.length - 1)

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
    keepLabel(option)
    onPick(option)
    if (!keepOpen) close()
  }
  const search = (text: string) => {
    setQuery(text)
    setActiveIndex(0)
    setIsPickPending(false)
    open()
  }
  useActionWhen(isPickPending && !loading, () => {
    setIsPickPending(false)
    pick(shown[active])
    if (document.activeElement?.getAttribute('aria-controls') !== `${id}list`) close()
  })

  const moveToLetter = (letter: string) => {
    const index = findByLetter(shown, active, letter)
    if (index >= 0) setActiveIndex(index)
    open()
  }

  const onKeyDown = (event: React.KeyboardEvent) => {
    const { key } = event
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      if (!isOpen) open()
      else if (loading) setActiveIndex(chosenIndex + step)
      else if (shown.length > 0) setActiveIndex((active + step + shown.length) % shown.length)
    } else if (key === 'Enter' || (key === ' ' && !searchable)) {
      event.preventDefault()
      if (!isOpen) open()
      else if (loading) setIsPickPending(true)
      else pick(shown[active])
    } else if (key === 'Escape' && isOpen) {
      event.preventDefault()
      close()
    } else if (key === 'Tab') leave()
    else if (isOpen && !searchable && (key === 'Home' || key === 'End')) {
      event.preventDefault()
      setActiveIndex(key === 'Home' ? 0 : shown.length - 1)
    } else if (!searchable && key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey)
      moveToLetter(key)
  }

  return {
    id,
    opened: isOpen,
    query,
    shown,
    isError,
    active,
    loading,
    open,
    close,
    leave,
    pick,
    search,
    labelOf,
    onKeyDown,
    combobox: getComboboxAttributes({ id, isOpen, searchable, active }),
  }
}

/** The index of the next option after `active` that begins with a letter, or -1. After the last option comes the first. */
function findByLetter(options: readonly Option[], active: number, letter: string): number {
  const after = [...options.slice(active + 1), ...options.slice(0, active + 1)]
  const match = after.find(({ label }) => label.toLocaleLowerCase().startsWith(letter.toLocaleLowerCase()))
  return match ? options.indexOf(match) : -1
}

type ComboboxState = { id: string; isOpen: boolean; searchable: boolean; active: number }

/** The attributes of the input that owns the list. */
const getComboboxAttributes = ({ id, isOpen, searchable, active }: ComboboxState) =>
  ({
    role: 'combobox',
    autoComplete: 'off',
    spellCheck: 'false',
    'aria-haspopup': 'listbox',
    'aria-expanded': isOpen,
    'aria-autocomplete': searchable ? 'list' : 'none',
    'aria-controls': isOpen ? `${id}list` : undefined,
    'aria-activedescendant': isOpen && active >= 0 ? `${id}o${active}` : undefined,
  }) as const

export type Listbox = ReturnType<typeof useListbox>
