import { CLOCK_AHEAD, MOMENT } from './database.ts'

/**
 * Milliseconds since 1970 when the run began, by the database's clock. What the product compares with the present is
 * given relative to it, so that no test has a day of its own.
 */
export const moment: number = read(MOMENT)

/** Milliseconds since 1970 now, by the database's clock, however far this process's is off. */
export const now = (): number => Date.now() - read(CLOCK_AHEAD)

export const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour

/** The time so many milliseconds before {@link moment}, as ISO 8601. */
export const ago = (milliseconds: number): string => new Date(moment - milliseconds).toISOString()

function read(name: string): number {
  const value = Number(process.env[name])
  if (!Number.isFinite(value)) throw new Error(`${name} is not set: run the tests with "npm test"`)
  return value
}
