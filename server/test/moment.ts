import { CLOCK_AHEAD, MOMENT } from './database.ts'

/**
 * The start of the test run by the clock of the database, in milliseconds since 1970. Tests use times relative to it
 * where the product compares them with the current time.
 */
export const runStart: number = read(MOMENT)

/** The current time by the clock of the database, in milliseconds since 1970. */
export const now = (): number => Date.now() - read(CLOCK_AHEAD)

export const minute = 60_000
export const hour = 60 * minute
export const day = 24 * hour

/** The time this many milliseconds before {@link runStart}, as ISO 8601. */
export const ago = (milliseconds: number): string => new Date(runStart - milliseconds).toISOString()

function read(name: string): number {
  const value = Number(process.env[name])
  if (!Number.isFinite(value)) throw new Error(`${name} is not set: run the tests with "npm test"`)
  return value
}
