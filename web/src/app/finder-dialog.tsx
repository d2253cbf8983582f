import { missingValue } from '../lib/format/missing.ts'
import { useEffect, useId, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { AppSettings } from '@karvon/contract/app/app.ts'
import { searchParcels } from '@karvon/contract/parcels/parcels.ts'
import { Modal } from '../components/overlay/modal.tsx'
import { send } from '../lib/http.ts'
import { readList } from '../lib/list.answer.ts'
import { useSettings } from '../lib/settings.store.ts'
import type { ListSearch } from '../lib/table-state.ts'
import { parcelKey, type ReceivedParcel } from '../features/parcels/parcel.received.ts'
import { appTexts as texts } from './app.texts.ts'
import classes from './finder.module.css'
import { adminSections, offeredPages, personPages, type NavPage } from './navigation.ts'

interface Found {
  readonly key: string
  readonly label: string
  readonly note: string
  readonly to: string
  readonly search: ListSearch
}

/** Milliseconds between the last key and the search (specification, section 9). */
const patience = 300
const mostParcels = 5

function pagesOf(admin: boolean, settings: AppSettings): Found[] {
  const offered = (pages: readonly NavPage[], note: string) =>
    offeredPages(pages, settings).map((page) => ({ ...page, note }))
  const all = admin
    ? adminSections.flatMap(({ pages, label }) => offered(pages, label))
    : offered(personPages, '')
  return [...all, ...offered([{ label: texts.profile, to: '/profile', feature: 'profile' }], '')].map(
    ({ label, to, note, tab }) => ({
      key: `${to} ${tab ?? ''}`,
      label,
      note,
      to,
      search: tab ? { tab } : {},
    }),
  )
}

/** The parcels that a text is found in: order number, barcode, receiver. */
async function findParcels(text: string, signal: AbortSignal): Promise<Found[]> {
  const query = { search: text, page: 1, limit: mostParcels }
  const { items } = readList<ReceivedParcel>(await send(searchParcels, { query, signal }), {
    page: 1,
    size: mostParcels,
  })
  return items.map((row) => ({
    key: `parcel ${parcelKey(row)}`,
    label: row.orderno ?? missingValue,
    note: [row.receiver?.person, row.receiver?.town].filter(Boolean).join(', '),
    to: '/parcels',
    search: { period: 'any', search: row.orderno ?? '', id: parcelKey(row) },
  }))
}

type FinderDialogProps = { opened: boolean; admin: boolean; russian: boolean; onClose: () => void }

/** Finds pages by name and parcels by what is written on them. */
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
  const [typed, setTyped] = useState('')
  const [asked, setAsked] = useState('')
  const [at, setAt] = useState(0)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed.trim()), patience)
    return () => clearTimeout(timer)
  }, [typed])
  const parcels = useQuery({
    queryKey: ['parcels', 'find', asked],
    queryFn: ({ signal }) => findParcels(asked, signal),
    enabled: asked.length > 1,
  })

  const wanted = typed.trim().toLocaleLowerCase()
  const pages = pagesOf(admin, settings).filter(({ label, note }) =>
    `${label} ${note}`.toLocaleLowerCase().includes(wanted),
  )
  const found = [...pages, ...(wanted.length > 1 ? (parcels.data ?? []) : [])]
  const active = Math.min(at, found.length - 1)

  const go = (to: Found | undefined) => {
    if (!to) return
    onClose()
    void navigate({ to: to.to, search: to.search })
  }

  return (
    <div className={classes.finder}>
      <input
        type="text"
        role="combobox"
        aria-label={find}
        aria-expanded={found.length > 0}
        aria-controls={`${id}list`}
        aria-activedescendant={found.length > 0 ? `${id}${active}` : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={findPlaceholder}
        value={typed}
        className={classes.input}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
          if (step !== undefined && found.length > 0) {
            event.preventDefault()
            setAt((active + step + found.length) % found.length)
          } else if (event.key === 'Enter') {
            event.preventDefault()
            go(found[active])
          }
        }}
      />
      <div id={`${id}list`} role="listbox" aria-label={find} className={classes.list}>
        {found.map((each, index) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events jsx-a11y/interactive-supports-focus -- the input has the keys
          <div
            key={each.key}
            id={`${id}${index}`}
            role="option"
            aria-selected={index === active}
            className={classes.option}
            onPointerMove={() => setAt(index)}
            onClick={() => go(each)}
          >
            {each.label}
            <small>{each.note}</small>
          </div>
        ))}
      </div>
      {found.length === 0 && !parcels.isFetching && <p role="status">{texts.findEmpty}</p>}
    </div>
  )
}
