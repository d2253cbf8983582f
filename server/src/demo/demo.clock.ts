const hour = 3_600_000
export const dayMilliseconds = 24 * hour
export const hourMilliseconds = hour

/**
 * The local time of the installation, as milliseconds of the same time in UTC. {@link formatTime} turns them into a text
 * without an offset, which the database reads in the installation's time zone.
 */
export interface LocalClock {
  now: number
  /** Midnight of today. */
  today: number
  /** Midnight of the first of this month. */
  month: number
}

export function readLocalClock(timeZone: string, at: Date): LocalClock {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
    hourCycle: 'h23',
  }).formatToParts(at)
  const getPart = (type: string) => Number(parts.find((part) => part.type === type)?.value)
  const [year, month, day] = [getPart('year'), getPart('month') - 1, getPart('day')]
  return {
    now: Date.UTC(year, month, day, getPart('hour'), getPart('minute'), getPart('second')),
    today: Date.UTC(year, month, day),
    month: Date.UTC(year, month, 1),
  }
}

/** yyyy-mm-dd hh:mm:ss */
export const formatTime = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ')

/** yyyy-mm-dd */
export const formatDay = (at: number): string => new Date(at).toISOString().slice(0, 10)
