import type pg from 'pg'

/** What a check found. */
export interface Found {
  /** How much was looked at, as it is told: `12,480 totals`. */
  said: string
  /** What is wrong, a sentence each; none means that all is well. */
  faults: readonly string[]
}

/**
 * One promise of what is stored, looked at as of one moment: `client` is in a read-only transaction that sees the
 * same rows throughout. Nothing is changed.
 */
export interface Check {
  readonly name: string
  run(client: pg.ClientBase): Promise<Found>
}

/** Runs checks one after the other on the rows of one moment, while the product works. */
export async function runChecks(client: pg.ClientBase, checks: readonly Check[]): Promise<[Check, Found][]> {
  await client.query('set idle_in_transaction_session_timeout = 0')
  await client.query('begin isolation level repeatable read read only')
  try {
    const found: [Check, Found][] = []
    for (const check of checks) found.push([check, await check.run(client)])
    return found
  } finally {
    await client.query('rollback')
  }
}

/** `1,204 parcels`, `1 parcel`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`
