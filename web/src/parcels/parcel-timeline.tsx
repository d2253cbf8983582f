import type { ParcelWithHistory } from '@karvon/contract/parcels/parcels.ts'
import type { TimelineEvent } from '../ui/display/timeline.tsx'
import { speakWord } from '../ui/language/language.ts'
import { formatMoment } from '../kit/moment.format.ts'
import classes from './problems.module.css'
import { problemTexts } from './problems.texts.ts'

/** What happened to a parcel and what was written on it, newest first; times in the installation's `zone`. */
export function timelineOf({ history, notes, status }: ParcelWithHistory, zone: string): TimelineEvent[] {
  // An API host that answers without a history still has the status of now.
  const events = (history ?? [status]).map((event, index) => ({
    at: event.eventtime,
    key: `${event.eventtime} ${event.code} ${index}`,
    title: speakWord(event.title) || event.code,
    note: formatMoment(event.eventtime, zone),
  }))
  const remarks = (notes ?? []).map((note) => ({
    at: note.created_at,
    key: `note ${note.id}`,
    title: <span className={classes.text}>{note.text}</span>,
    note: `${problemTexts.note.by(note.user.name)} · ${formatMoment(note.created_at, zone)}`,
    remark: true,
  }))
  return [...events, ...remarks].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
}
