import { missingValue } from '../../lib/format/missing.ts'
import type { TimelineEvent } from '../../components/display/timeline.tsx'
import { translateCourierStatus } from '../../lib/courier-status.ts'
import { formatDateTime } from '../../lib/format/date-time.format.ts'
import type { ReceivedParcelWithHistory } from './parcel.received.ts'
import classes from './problems.module.css'
import { problemTexts } from './problems.texts.ts'

const getTime = ({ at }: { at?: string | null | undefined }) => Date.parse(at ?? '') || 0

/** The history and the notes of a parcel, newest first. Times are in the time zone `zone`. */
export function createTimeline(
  history: readonly NonNullable<ReceivedParcelWithHistory['history']>[number][],
  writtenNotes: readonly NonNullable<ReceivedParcelWithHistory['notes']>[number][],
  zone: string,
): TimelineEvent[] {
  const events = history.map((event, index) => ({
    at: event.eventtime,
    key: `${event.eventtime ?? ''} ${event.code ?? ''} ${index}`,
    title: translateCourierStatus(event.title) || event.code || missingValue,
    note: formatDateTime(event.eventtime, zone),
  }))
  const noteEvents = writtenNotes.map((note) => ({
    at: note.created_at,
    key: `note ${note.id ?? note.created_at ?? ''}`,
    title: <span className={classes.text}>{note.text}</span>,
    note: `${problemTexts.note.by({ name: note.user?.name ?? missingValue })} · ${formatDateTime(note.created_at, zone)}`,
    isRemark: true,
  }))
  return [...events, ...noteEvents].toSorted((a, b) => getTime(b) - getTime(a))
}
