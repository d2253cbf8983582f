import { missingValue } from '../../lib/format/missing.ts'
import type { TimelineEvent } from '../../components/display/timeline.tsx'
import { speakWord } from '../../lib/i18n/language.ts'
import { formatMoment } from '../../lib/format/moment.format.ts'
import type { ReceivedParcelWithHistory } from './parcel.received.ts'
import classes from './problems.module.css'
import { problemTexts } from './problems.texts.ts'

const timeOf = ({ at }: { at?: string | null | undefined }) => Date.parse(at ?? '') || 0

/** What happened to a parcel and what was written on it, newest first; times in the installation's `zone`. */
export function timelineOf(
  history: readonly NonNullable<ReceivedParcelWithHistory['history']>[number][],
  written: readonly NonNullable<ReceivedParcelWithHistory['notes']>[number][],
  zone: string,
): TimelineEvent[] {
  const events = history.map((event, index) => ({
    at: event.eventtime,
    key: `${event.eventtime ?? ''} ${event.code ?? ''} ${index}`,
    title: speakWord(event.title ?? '') || event.code || missingValue,
    note: formatMoment(event.eventtime, zone),
  }))
  const remarks = written.map((note) => ({
    at: note.created_at,
    key: `note ${note.id ?? note.created_at ?? ''}`,
    title: <span className={classes.text}>{note.text}</span>,
    note: `${problemTexts.note.by(note.user?.name ?? missingValue)} · ${formatMoment(note.created_at, zone)}`,
    remark: true,
  }))
  return [...events, ...remarks].toSorted((a, b) => timeOf(b) - timeOf(a))
}
