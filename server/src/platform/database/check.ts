import type pg from 'pg'
import { beginSnapshot } from './snapshot.ts'

export interface CheckResult {
  /** What was checked: `12,480 totals`. */
  summary: string
  /** One sentence for each fault. */
  faults: readonly string[]
}

/** Checks one invariant of the stored data. `client` is in a read-only transaction with one snapshot for all checks. */
export interface Check {
  readonly name: string
  run(client: pg.ClientBase): Promise<CheckResult>
}

/** Runs checks on one snapshot. The product may run meanwhile. */
export async function runChecks(
  client: pg.ClientBase,
  checks: readonly Check[],
): Promise<[Check, CheckResult][]> {
  await client.query('set idle_in_transaction_session_timeout = 0')
  await beginSnapshot(client)
  try {
    const results: [Check, CheckResult][] = []
    for (const check of checks) results.push([check, await check.run(client)])
    return results
  } finally {
    await client.query('rollback')
  }
}

/** `1,204 parcels`, `1 parcel`. */
export const formatCount = (count: number, singular: string, plural = `${singular}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? singular : plural}`
