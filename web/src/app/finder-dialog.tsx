import { useId, useRef, useState } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { useActionWhen } from '../components/action-when.hook.ts'
import { Modal } from '../components/overlay/modal.tsx'
import { appTexts } from './app.texts.ts'
import classes from './finder.module.css'
import { useFinderResults } from './finder.results.ts'
import type { FinderResult } from './finder.search.ts'
import { finderTexts } from './finder.texts.ts'

type FinderDialogProps = { opened: boolean; admin: boolean; russian: boolean; onClose: () => void }

/** Finds pages and parcels, for admins also leads, offers, streams, users and sources. */
export function FinderDialog({ opened, onClose, ...rest }: FinderDialogProps) {
  const { find } = rest.russian ? appTexts.russianFinder : appTexts
  return (
    <Modal opened={opened} title={find} onClose={onClose} width={560}>
      <FinderList {...rest} onClose={onClose} />
    </Modal>
  )
}

function FinderList({ admin, russian, onClose }: Omit<FinderDialogProps, 'opened'>) {
  const { find } = russian ? appTexts.russianFinder : appTexts
  const texts = russian ? finderTexts.russian : finderTexts
  const id = useId()
  const navigate = useNavigate()
  const [typedText, setTypedText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  // Not an index: a slower source may add results above.
  const [activeKey, setActiveKey] = useState<string>()
  // Enter was pressed before the results of the text arrived. A scanner types a barcode and Enter at once.
  const [isOpenPending, setIsOpenPending] = useState(false)
  const { results, pageCount, isFetching, isError, isCurrent } = useFinderResults(admin, typedText)
  const active = Math.max(
    results.findIndex(({ key }) => key === activeKey),
    Math.min(0, results.length - 1),
  )

  const open = (result: FinderResult | undefined) => {
    if (!result) return
    onClose()
    void navigate({ to: result.to, search: result.search })
  }
  useActionWhen(isOpenPending && isCurrent && !isFetching, () => {
    setIsOpenPending(false)
    // The rows of a source that failed may have been the ones that the person wanted. A finder that closes has no focus.
    if (!isError && document.activeElement === input.current) open(results[active])
  })

  // Before the search for the typed text has ended, nothing is known.
  const isSearching = isFetching || !isCurrent
  const message = isError ? texts.failed : results.length === 0 ? texts.empty : null

  return (
    <div className={classes.finder}>
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-label={find}
        aria-expanded={results.length > 0}
        aria-controls={`${id}list`}
        aria-activedescendant={results.length > 0 ? `${id}${active}` : undefined}
        autoComplete="off"
        spellCheck="false"
        placeholder={texts.placeholder}
        value={typedText}
        className={classes.input}
        onChange={(event) => {
          setTypedText(event.currentTarget.value)
          setActiveKey(undefined)
          setIsOpenPending(false)
        }}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
          if (step !== undefined && results.length > 0) {
            event.preventDefault()
            setActiveKey(results[(active + step + results.length) % results.length]?.key)
          } else if (event.key === 'Enter') {
            event.preventDefault()
            // Pages need no search. Rows of an earlier text are never opened.
            if (active >= 0 && (active < pageCount || isCurrent)) open(results[active])
            else setIsOpenPending(true)
          }
        }}
      />
      <FinderOptions
        id={id}
        results={results}
        active={active}
        label={find}
        onPoint={(result) => setActiveKey(result.key)}
        onOpen={open}
      />
      {!isSearching && message !== null && <p role="status">{message}</p>}
    </div>
  )
}

type FinderOptionsProps = {
  /** The start of the ids of the list and its options. */
  id: string
  label: string
  results: readonly FinderResult[]
  active: number
  onPoint: (result: FinderResult) => void
  onOpen: (result: FinderResult) => void
}

function FinderOptions({ id, label, results, active, onPoint, onOpen }: FinderOptionsProps) {
  return (
    <div id={`${id}list`} role="listbox" aria-label={label} className={classes.list}>
      {results.map((result, index) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events jsx-a11y/interactive-supports-focus -- the input has the keys
        <div
          key={result.key}
          id={`${id}${index}`}
          role="option"
          aria-selected={index === active}
          data-active={index === active || undefined}
          className={classes.option}
          onPointerMove={() => onPoint(result)}
          onClick={() => onOpen(result)}
        >
          {result.label}
          <small>{result.note}</small>
        </div>
      ))}
    </div>
  )
}
