import { lazy, useEffect, useEffectEvent, type ReactNode } from 'react'
import { LazyPart } from '../../components/lazy-part.tsx'
import { useQuery } from '@tanstack/react-query'
import { getParcel, listNotes, listParcelEvents } from '@karvon/contract/parcels/parcels.ts'
import { IconButton } from '../../components/actions/icon-button.tsx'
import { CloseIcon } from '../../components/actions/icons.tsx'
import { Card } from '../../components/display/card.tsx'
import { ErrorState } from '../../components/display/empty-state.tsx'
import { Skeleton } from '../../components/display/skeleton.tsx'
import { Facts, Timeline } from '../../components/display/timeline.tsx'
import { useDocumentKey } from '../../components/document-key.hook.ts'
import { Modal } from '../../components/overlay/modal.tsx'
import { useUiTexts } from '../../components/texts.ts'
import { WithFeature } from '../../resources/feature.tsx'
import { useHistory } from '../../resources/history.query.ts'
import { send } from '../../lib/http.ts'
import { ParcelStatusBadge } from './parcel-status.tsx'
import { useErrorMessage } from '../../resources/error-message.ts'
import { useFeature, useSettings } from '../../lib/settings.store.ts'
import { ShowMore } from '../../resources/show-more.tsx'
import classes from './parcels.module.css'
import { isParcelId, type ReceivedParcel, type ReceivedParcelWithHistory } from './parcel.received.ts'
import { createTimeline } from './parcel-timeline.tsx'
import { createParcelFacts } from './parcel-facts.tsx'
import { parcelTexts as texts } from './parcels.texts.ts'
import problems from './problems.module.css'
import { freshMs } from './problems.query.ts'
import { problemTexts } from './problems.texts.ts'
import { queryKeys } from '../../lib/query-keys.ts'

const NoteForm = lazy(async () => ({ default: (await import('./note-form.tsx')).NoteForm }))

type ParcelDetailProps = {
  /** The key of the parcel, see {@link getParcelKey}. */
  id: string | undefined
  /** The row of the list, where the list shows it. A parcel without an id has no other data. */
  row: ReceivedParcel | undefined
  /** The time of the list's last answer. */
  listUpdatedAt: number
  isBeside: boolean
  onClose: () => void
  /** Shows the parcels of a courier in the list. */
  onCourier: (code: string) => void
}

/** One parcel with its history: beside the list where there is room, else in a modal. */
export function ParcelDetail({ id, row, listUpdatedAt, isBeside, onClose, onCourier }: ParcelDetailProps) {
  const ui = useUiTexts()
  const reason = useErrorMessage()
  const query = useQuery({
    queryKey: queryKeys.parcel(id),
    queryFn: ({ signal }) => send(getParcel, { params: { id: id ?? '' }, signal }),
    enabled: id !== undefined && isParcelId(id),
  })
  // So that the list and the parcel show the same moment.
  const reloadAfterList = useEffectEvent((updatedAt: number) => {
    if (query.data && updatedAt - query.dataUpdatedAt > freshMs) void query.refetch()
  })
  useEffect(() => reloadAfterList(listUpdatedAt), [listUpdatedAt])
  const parcel = query.data ?? (id !== undefined && !isParcelId(id) ? row : undefined)
  const title = parcel?.orderno ?? texts.detail
  const content =
    query.error && !query.data && !query.isFetching ? (
      <ErrorState
        failure={{ message: texts.detailFailed, reason: reason(query.error) }}
        onRetry={() => void query.refetch()}
      />
    ) : parcel ? (
      <ParcelFacts parcel={parcel} onCourier={onCourier} />
    ) : (
      <Skeleton height={260} />
    )
  if (!isBeside) {
    return (
      <Modal opened={id !== undefined} title={title} onClose={onClose}>
        {content}
      </Modal>
    )
  }
  return (
    <BesideDetail onClose={onClose}>
      {/* The focus stays in the list, so screen readers announce which parcel is shown. */}
      <p role="status" className="visually-hidden">
        {parcel && `${texts.detail} ${parcel.orderno ?? ''}`}
      </p>
      <Card
        title={title}
        aside={
          <IconButton label={ui.close} onClick={onClose}>
            <CloseIcon size={17} />
          </IconButton>
        }
      >
        {content}
      </Card>
    </BesideDetail>
  )
}

/** The detail beside the list. The list stays usable. Esc closes the detail, unless a layer is open. */
function BesideDetail({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  useDocumentKey((event) => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return
    if (event.target instanceof Element && event.target.closest('[role=dialog],[role=alertdialog]')) return
    onClose()
  })
  return <div className={classes.detail}>{children}</div>
}

type ParcelFactsProps = Pick<ParcelDetailProps, 'onCourier'> & { parcel: ReceivedParcelWithHistory }

function ParcelFacts({ parcel, onCourier }: ParcelFactsProps) {
  const { time_zone: zone, currency } = useSettings()
  const hasPayments = useFeature('cash_on_delivery')
  const id = parcel.id?.toString()
  const events = useHistory({
    call: listParcelEvents,
    id,
    // A host that answers no history still has the current status.
    rows: parcel.history ?? (parcel.status ? [parcel.status] : []),
    total: parcel.history_total,
  })
  const notes = useHistory({
    call: listNotes,
    id,
    rows: parcel.notes ?? [],
    total: parcel.notes_total,
  })
  const facts = createParcelFacts(parcel, { zone, currency, hasPayments, onCourier })
  return (
    <>
      {/* A modal starts here, not in the note, which would open a phone's keyboard. */}
      <div tabIndex={-1} data-autofocus="" className={problems.state}>
        <ParcelStatusBadge status={parcel.status} />
      </div>
      {parcel.problem && (
        <p className={problems.said}>
          {problemTexts.marked({ reason: problemTexts.reasons[parcel.problem].toLowerCase() })}
        </p>
      )}
      <Facts facts={facts} />
      <Timeline label={texts.history} events={createTimeline(events.rows, notes.rows, zone)} />
      <ShowMore
        history={events}
        shown={texts.eventsShown({ shown: events.rows.length, total: events.total })}
        texts={texts.moreEvents}
      />
      <ShowMore
        history={notes}
        shown={texts.notesShown({ shown: notes.rows.length, total: notes.total })}
        texts={texts.moreNotes}
      />
      <WithFeature feature="parcel_problems">
        <LazyPart fallback={<Skeleton height={130} />}>
          <NoteForm key={parcel.id} parcel={{ id: parcel.id ?? 0 }} />
        </LazyPart>
      </WithFeature>
    </>
  )
}
