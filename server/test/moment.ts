import { MOMENT } from './database.ts'

/**
 * Milliseconds since 1970 when the run began, by the database's clock. What the product compares with the present is
 * given relative to it, so that no test has a day of its own.
 */
export const moment: number = readMoment()

export const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour

/** The time so many milliseconds before {@link moment}, as ISO 8601. */
export const ago = (milliseconds: number): string => new Date(moment - milliseconds).toISOString()

function readMoment(): number {
  const moment = Number(process.env[MOMENT])
  if (!Number.isFinite(moment)) throw new Error(`${MOMENT} is not set: run the tests with "npm test"`)
  return moment
}
