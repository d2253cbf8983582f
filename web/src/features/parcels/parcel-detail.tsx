import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent } from 'react'
import { useQuery } from '@tanstack/react-query'
import { getParcel, listNotes, listParcelEvents } from '@karvon/contract/parcels/parcels.ts'
import { IconButton } from '../../components/actions/icon-button.tsx'
import { CloseIcon } from '../../components/actions/icons.tsx'
import { Card } from '../../components/display/card.tsx'
import { ErrorState } from '../../components/display/empty-state.tsx'
import { Skeleton } from '../../components/display/skeleton.tsx'
import { Facts, Timeline } from '../../components/display/timeline.tsx'
import { formatDay } from '../../lib/format/day.format.ts'
import { formatNumber } from '../../lib/format/number.format.ts'
import { Modal } from '../../components/overlay/modal.tsx'
import { useUiTexts } from '../../components/texts.ts'
import { WithFeature } from '../../resources/feature.tsx'
import { useFurtherRows } from '../../resources/further-rows.hook.ts'
import { send } from '../../lib/http.ts'
import { formatMoney } from '../../lib/format/money.format.ts'
import { StatusBadge } from './parcel-status.tsx'
import { useReason } from '../../resources/reason.tsx'
import { useSettings } from '../../lib/settings.store.ts'
import { ShowMore } from '../../resources/show-more.tsx'
import { currencyWord } from './parcels.columns.tsx'
import classes from './parcels.module.css'
import { isParcelId, type ReceivedParcel, type ReceivedParcelWithHistory } from './parcel.received.ts'
import { timelineOf } from './parcel-timeline.tsx'
import { parcelTexts as texts } from './parcels.texts.ts'
import problems from './problems.module.css'
import { problemTexts } from './problems.texts.ts'

const NoteForm = lazy(async () => ({ default: (await import('./note-form.tsx')).NoteForm }))

type ParcelDetailProps = {
  /** Its key, see {@link parcelKey}. */
  id: string | undefined
  /** The row of the list, where the list on the screen has it: all there is of one without an id. */
  row: ReceivedParcel | undefined
  beside: boolean
  onClose: () => void
}

/** One parcel with its history: beside the list where there is room, else in a modal above it. */
export function ParcelDetail({ id, row, beside, onClose }: ParcelDetailProps) {
  const ui = useUiTexts()
  const reason = useReason()
  const query = useQuery({
    queryKey: ['parcels', 'one', id],
    queryFn: ({ signal }) => send(getParcel, { params: { id: id ?? '' }, signal }),
    enabled: id !== undefined && isParcelId(id),
  })
  const parcel = query.data ?? (id !== undefined && !isParcelId(id) ? row : undefined)
  const title = parcel?.orderno ?? texts.detail
  const inside =
    query.error && !query.isFetching ? (
      <ErrorState
        failure={{ message: texts.detailFailed, reason: reason(query.error) }}
        onRetry={() => void query.refetch()}
      />
    ) : parcel ? (
      <ParcelFacts parcel={parcel} />
    ) : (
      <Skeleton height={260} />
    )
  if (!beside) {
    return (
      <Modal opened={id !== undefined} title={title} onClose={onClose}>
        {inside}
      </Modal>
    )
  }
  return (
    <BesideDetail onClose={onClose}>
      <Card
        title={title}
        aside={
          <IconButton label={ui.close} onClick={onClose}>
            <CloseIcon size={17} />
          </IconButton>
        }
      >
        {inside}
      </Card>
    </BesideDetail>
  )
}

/** No layer, since the list beside it stays in use; Esc closes it all the same, unless a layer is open above. */
function BesideDetail({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return
    if (event.target instanceof Element && event.target.closest('[role=dialog],[role=alertdialog]')) return
    onClose()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return <div className={classes.detail}>{children}</div>
}

const said = (...parts: (string | null | undefined)[]) => parts.filter(Boolean).join(', ')

function ParcelFacts({ parcel }: { parcel: ReceivedParcelWithHistory }) {
  const { time_zone: zone, currency } = useSettings()
  const { receiver, package: box } = parcel
  const price = box?.delivery_price
  const id = parcel.id?.toString()
  const events = useFurtherRows({
    call: listParcelEvents,
    id,
    // An API host that answers without a history still has the status of now.
    rows: parcel.history ?? (parcel.status ? [parcel.status] : []),
    total: parcel.history_total,
  })
  const notes = useFurtherRows({
    call: listNotes,
    id,
    rows: parcel.notes ?? [],
    total: parcel.notes_total,
  })
  const facts = [
    {
      name: texts.facts.receiver,
      value: (
        <>
          {said(receiver?.person, receiver?.company) || texts.none}
          {receiver?.phone && (
            <>
              <br />
              <a href={`tel:${receiver.phone.replace(/[^+\d]/g, '')}`}>{receiver.phone}</a>
            </>
          )}
        </>
      ),
    },
    { name: texts.facts.address, value: said(receiver?.town, receiver?.address) || texts.none },
    {
      name: texts.facts.service,
      value:
        said(
          box?.service_name,
          typeof box?.weight === 'number' ? texts.weight(formatNumber(box.weight)) : null,
          typeof box?.quantity === 'number' ? texts.quantity(box.quantity) : null,
        ) || texts.none,
    },
    ...(box?.type_name ? [{ name: texts.facts.type, value: box.type_name }] : []),
    {
      name: texts.facts.delivery,
      value: typeof price === 'number' ? `${formatMoney(price)} ${currencyWord(currency)}` : texts.none,
    },
    { name: texts.facts.date, value: formatDay(parcel.date) },
    ...(parcel.barcode
      ? [{ name: texts.facts.barcode, value: <span className="mono">{parcel.barcode}</span> }]
      : []),
    ...(parcel.owner?.name ? [{ name: texts.facts.owner, value: parcel.owner.name }] : []),
  ]
  return (
    <>
      {/* A modal starts here, not in the note, which would open a phone's keyboard. */}
      <div tabIndex={-1} data-autofocus="" className={problems.state}>
        <StatusBadge status={parcel.status} />
      </div>
      {parcel.problem && (
        <p className={problems.said}>{problemTexts.said(problemTexts.reasons[parcel.problem])}</p>
      )}
      <Facts facts={facts} />
      <Timeline label={texts.history} events={timelineOf(events.rows, notes.rows, zone)} />
      <ShowMore
        of={events}
        shown={texts.eventsShown(events.rows.length, events.total)}
        texts={texts.moreEvents}
      />
      <ShowMore of={notes} shown={texts.notesShown(notes.rows.length, notes.total)} texts={texts.moreNotes} />
      <WithFeature feature="parcel_problems">
        <Suspense fallback={<Skeleton height={130} />}>
          <NoteForm key={parcel.id} of={{ id: parcel.id ?? 0 }} />
        </Suspense>
      </WithFeature>
    </>
  )
}
