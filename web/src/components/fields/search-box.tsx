import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { IconButton } from '../actions/icon-button.tsx'
import { CloseIcon, SearchIcon } from '../actions/icons.tsx'
import { useUiTexts } from '../texts.ts'
import classes from './search-box.module.css'

/** Milliseconds between the last key and the search (specification, section 9). */
export const searchDelay = 300

export type SearchBoxProps = {
  /** The current search (from the URL). */
  value: string
  onSearch: (value: string) => void
  label?: string
}

/** Searches 300 ms after the last key, and at once on Enter and on clear. */
export function SearchBox({ value, onSearch, label }: SearchBoxProps) {
  const texts = useUiTexts()
  const [typedText, setTypedText] = useState(value)
  const input = useRef<HTMLInputElement>(null)
  // Searches that this box requested and `value` does not show yet. A late echo must not undo newer typing.
  const pendingSearches = useRef<string[]>([])
  const requestSearch = (text: string) => {
    const trimmedText = text.trim()
    if (trimmedText === (pendingSearches.current.at(-1) ?? value)) return
    pendingSearches.current.push(trimmedText)
    onSearch(trimmedText)
  }
  const requestSearchLater = useEffectEvent(requestSearch)

  useEffect(() => {
    const echoIndex = pendingSearches.current.indexOf(value)
    if (echoIndex >= 0) pendingSearches.current.splice(0, echoIndex + 1)
    else {
      // `value` changed from outside: Back, a link, a reset.
      pendingSearches.current = []
      setTypedText(value)
    }
  }, [value])

  useEffect(() => {
    const timer = setTimeout(() => requestSearchLater(typedText), searchDelay)
    return () => clearTimeout(timer)
  }, [typedText])

  const searchNow = (text: string) => {
    setTypedText(text)
    requestSearch(text)
  }

  return (
    <div className={classes.box}>
      <SearchIcon size={17} />
      <input
        ref={input}
        type="search"
        value={typedText}
        aria-label={label ?? texts.search}
        placeholder={label ?? texts.search}
        autoComplete="off"
        onChange={(event) => setTypedText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            event.preventDefault()
            searchNow(typedText)
          } else if (event.key === 'Escape' && typedText !== '') {
            event.preventDefault()
            searchNow('')
          }
        }}
      />
      {typedText !== '' && (
        <IconButton
          label={texts.clear}
          className={classes.clear}
          onClick={() => {
            searchNow('')
            input.current?.focus()
          }}
        >
          <CloseIcon size={16} />
        </IconButton>
      )}
    </div>
  )
}
