import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { IconButton } from '../actions/icon-button.tsx'
import { CloseIcon, SearchIcon } from '../actions/icons.tsx'
import { useUiTexts } from '../texts.ts'
import classes from './search-box.module.css'

/** Milliseconds between the last key and the search (specification, section 9). */
export const searchDelay = 300

export type SearchBoxProps = {
  /** The search that is in force (the URL's). */
  value: string
  onSearch: (value: string) => void
  label?: string
  placeholder?: string
  className?: string
}

/** Searches 300 ms after the last key, at once on Enter and on clear. */
export function SearchBox({ value, onSearch, label, placeholder, className }: SearchBoxProps) {
  const texts = useUiTexts()
  const [typed, setTyped] = useState(value)
  const input = useRef<HTMLInputElement>(null)
  // What this box asked for and has not seen in `value` yet: a late echo of it must not undo newer typing.
  const asked = useRef<string[]>([])
  const ask = (text: string) => {
    const wanted = text.trim()
    if (wanted === (asked.current.at(-1) ?? value)) return
    asked.current.push(wanted)
    onSearch(wanted)
  }
  const askLater = useEffectEvent(ask)

  useEffect(() => {
    const echo = asked.current.indexOf(value)
    if (echo >= 0) asked.current.splice(0, echo + 1)
    else {
      // Changed from outside: Back, a link, a reset.
      asked.current = []
      setTyped(value)
    }
  }, [value])

  useEffect(() => {
    const timer = setTimeout(() => askLater(typed), searchDelay)
    return () => clearTimeout(timer)
  }, [typed])

  const now = (text: string) => {
    setTyped(text)
    ask(text)
  }

  return (
    <div className={className ? `${classes.box} ${className}` : classes.box}>
      <SearchIcon size={17} />
      <input
        ref={input}
        type="search"
        value={typed}
        aria-label={label ?? texts.search}
        placeholder={placeholder ?? label ?? texts.search}
        autoComplete="off"
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            event.preventDefault()
            now(typed)
          } else if (event.key === 'Escape' && typed !== '') {
            event.preventDefault()
            now('')
          }
        }}
      />
      {typed !== '' && (
        <IconButton
          label={texts.clear}
          className={classes.clear}
          onClick={() => {
            now('')
            input.current?.focus()
          }}
        >
          <CloseIcon size={16} />
        </IconButton>
      )}
    </div>
  )
}
