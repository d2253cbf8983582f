/** A time of the database's clock, and the monotonic time of this process then. Both in milliseconds. */
let lastMeasurement: { database: number; monotonic: number } | null = null

/** Stores the database's time in milliseconds. */
export function storeDatabaseTime(database: number): void {
  lastMeasurement = { database, monotonic: performance.now() }
}

/** The present by the database's clock as it was measured last; by the clock of this process before that. */
export function estimateDatabaseTime(): Date {
  if (lastMeasurement === null) return new Date()
  const { database, monotonic } = lastMeasurement
  return new Date(database + performance.now() - monotonic)
}
