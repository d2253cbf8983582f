// SQL of moments around a day, which is SQL of a date, in the time zone of the session. Hours are added to moments, because the sum of
// a date and an interval may be a local time that the clocks skip: in Apia a whole day was skipped.

/** A moment that is not after the first one of the day. Where clocks go back at midnight, a day starts one hour before its date. */
export const momentBeforeDay = (day: string): string => `(${day})::timestamptz - interval '1 hour'`

/** A moment after the last one of the day. */
export const momentAfterDay = (day: string): string => `(${day} + 1)::timestamptz + interval '1 hour'`

/** The first moment of the day. Where clocks go back to midnight, a day has two of them, and PostgreSQL takes the second. */
export const dayStart = (day: string): string =>
  `least((${day})::timestamptz, (${day} - interval '1 microsecond')::timestamptz + interval '1 microsecond')`
