import { useEffect, useRef } from 'react'
import type { Tracked as Found } from '@karvon/contract/tracking/tracking.ts'
import { Timeline } from '../../components/display/timeline.tsx'
import { speakWord } from '../../lib/i18n/language.ts'
import { formatMoment } from '../../lib/format/moment.format.ts'
import { StatusBadge } from '../parcels/parcel-status.tsx'
import { useSettings } from '../../lib/settings.store.ts'
import classes from './tracking.module.css'
import { trackTexts as texts } from './tracking.texts.ts'

/** Where a parcel is and where it was; `named`: its number stands above already. */
export function Tracked({ of, named }: { of: Found; named: boolean }) {
  const { time_zone: zone } = useSettings()
  const place = useRef<HTMLElement>(null)
  // The form that had the focus is gone: what it found is read out.
  useEffect(() => place.current?.focus(), [])
  return (
    <section ref={place} tabIndex={-1} aria-label={texts.titleOf(of.orderno)} className={classes.found}>
      {!named && <p className={classes.order}>{of.orderno}</p>}
      <StatusBadge status={of.status} />
      <p className={classes.quiet}>{texts.updated(formatMoment(of.status.eventtime, zone))}</p>
      <Timeline
        label={texts.history}
        events={of.history.map((event, index) => ({
          key: `${event.eventtime} ${index}`,
          title: speakWord(event.title) || event.code,
          note: formatMoment(event.eventtime, zone),
        }))}
      />
    </section>
  )
}
