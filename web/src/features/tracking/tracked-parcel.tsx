import { useEffect, useRef } from 'react'
import type { TrackedParcel } from '@karvon/contract/tracking/tracking.ts'
import { Timeline } from '../../components/display/timeline.tsx'
import { translateCourierStatus } from '../../lib/courier-status.ts'
import { formatDateTime } from '../../lib/format/date-time.format.ts'
import { ParcelStatusBadge } from '../parcels/parcel-status.tsx'
import { useSettings } from '../../lib/settings.store.ts'
import classes from './tracking.module.css'
import { trackTexts as texts } from './tracking.texts.ts'

type TrackingResultProps = {
  parcel: TrackedParcel
  /** The page already shows the order number. */
  isNumberShown: boolean
}

/** The status and history of a parcel. */
export function TrackingResult({ parcel, isNumberShown }: TrackingResultProps) {
  const { time_zone: zone } = useSettings()
  const section = useRef<HTMLElement>(null)
  // The focused form is gone. The focus moves to the result, which screen readers then read.
  useEffect(() => section.current?.focus(), [])
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label={texts.titleOf({ orderno: parcel.orderno })}
      className={classes.found}
    >
      {!isNumberShown && <p className={classes.order}>{parcel.orderno}</p>}
      <ParcelStatusBadge status={parcel.status} />
      <p className={classes.quiet}>
        {texts.updated({ time: formatDateTime(parcel.status.eventtime, zone) })}
      </p>
      <Timeline
        label={texts.history}
        events={parcel.history.map((event, index) => ({
          key: `${event.eventtime} ${index}`,
          title: translateCourierStatus(event.title) || event.code,
          note: formatDateTime(event.eventtime, zone),
        }))}
      />
    </section>
  )
}
