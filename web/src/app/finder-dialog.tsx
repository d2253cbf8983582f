import { useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { useQueries, type UseQueryResult } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { AppSettings } from '@karvon/contract/app/app.ts'
import { searchDelay } from '../components/fields/search-box.tsx'
import { Modal } from '../components/overlay/modal.tsx'
import { queryKeys } from '../lib/query-keys.ts'
import { isAnnounced, useSettings } from '../lib/settings.store.ts'
import { appTexts as texts } from './app.texts.ts'
import classes from './finder.module.css'
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

type FinderDialogProps = { opened: boolean; admin: boolean; russian: boolean; onClose: () => void }

/** Finds pages and parcels, for admins also leads, offers, streams, users and sources. */
export function FinderDialog({ opened, onClose, ...rest }: FinderDialogProps) {
  const { find } = rest.russian ? texts.russianFinder : texts
  return (
    <Modal opened={opened} title={find} onClose={onClose} width={560}>
      <FinderList {...rest} onClose={onClose} />
    </Modal>
  )
}

function FinderList({ admin, russian, onClose }: Omit<FinderDialogProps, 'opened'>) {
  const { find, findPlaceholder } = russian ? texts.russianFinder : texts
  const id = useId()
  const navigate = useNavigate()
  const settings = useSettings()
  const [typedText, setTypedText] = useState('')
  const [search, setSearch] = useState('')
  const input = useRef<HTMLInputElement>(null)
  // Not an index: a slower source may add results above.
  const [activeKey, setActiveKey] = useState<string>()
  // Enter was pressed before the results of the text arrived. A scanner types a barcode and Enter at once.
  const [isOpenPending, setIsOpenPending] = useState(false)
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

  const query = typedText.trim().toLocaleLowerCase()
  const pages = listPages(admin, settings).filter(({ label, note }) =>
    `${label} ${note}`.toLocaleLowerCase().includes(query),
  )
  const results = [...pages, ...(query.length > 1 ? answers.rows : [])]
  const active = Math.max(
    results.findIndex(({ key }) => key === activeKey),
    Math.min(0, results.length - 1),
  )

  const open = (result: FinderResult | undefined) => {
    if (!result) return
    onClose()
    void navigate({ to: result.to, search: result.search })
  }
  const isCurrent = search === typedText.trim()
  const openActive = useEffectEvent(() => {
    setIsOpenPending(false)
    // The rows of a source that failed may have been the ones that the person wanted. A finder that closes has no focus.
    if (!answers.isError && document.activeElement === input.current) open(results[active])
  })
  useEffect(() => {
    if (!isOpenPending || !isCurrent || answers.isFetching) return
    const timer = setTimeout(() => openActive())
    return () => clearTimeout(timer)
  }, [isOpenPending, isCurrent, answers.isFetching])

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
        placeholder={findPlaceholder}
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
            if (active >= 0 && (active < pages.length || isCurrent)) open(results[active])
            else setIsOpenPending(true)
          }
        }}
      />
      <div id={`${id}list`} role="listbox" aria-label={find} className={classes.list}>
        {results.map((result, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events jsx-a11y/interactive-supports-focus -- the input has the keys
          <div
            key={result.key}
            id={`${id}${index}`}
            role="option"
            aria-selected={index === active}
            className={classes.option}
            onPointerMove={() => setActiveKey(result.key)}
            onClick={() => open(result)}
          >
            {result.label}
            <small>{result.note}</small>
          </div>
        ))}
      </div>
      {results.length === 0 && !answers.isFetching && <p role="status">{texts.findEmpty}</p>}
    </div>
  )
}
