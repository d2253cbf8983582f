/**
 * SQL: the times of the schedule `s` on the days from `first` to `last`, as rows `(t)`. The session has the time zone of the
 * installation. A time that the clocks skip is moved forward.
 */
export const buildTimes = (s: string, first: string, last: string): string =>
  `select (d::date + ${s}.time)::timestamptz as t
   from generate_series((${first})::timestamp, (${last})::timestamp, interval '1 day') d
   where extract(isodow from d) = any(${s}.weekdays) or extract(day from d) in (
     select least(m, extract(day from date_trunc('month', d) + interval '1 month - 1 day')) from unnest(${s}.month_days) m)`

/** Days ahead within which each schedule has a time: the 31st counts as the last day of a shorter month. */
const daysAhead = 32

/** SQL: the first time of the schedule `s` after now. */
export const buildNextTime = (s: string): string =>
  `(select min(t) from (${buildTimes(s, 'current_date', `current_date + ${daysAhead}`)}) times where t > now())`

/** SQL: the last time of the schedule `s` from its `next_at` to now, within `hours`; null if there is none. */
export const buildDueTime = (s: string, hours: number): string =>
  `(select max(t) from (${buildTimes(s, 'current_date - 1', 'current_date')}) times
    where t between greatest(${s}.next_at, now() - interval '${hours} hours') and now())`
