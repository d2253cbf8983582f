import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'

// What a status counts as and which word means it may change while leads come in. Whoever changes leads reads
// the states, whoever changes what they mean changes them; the two wait for each other. First in a transaction,
// before any row is locked and in a statement of its own: the next one then sees what the other has committed.

/** Before leads are changed: many at once. */
export async function readLeadStates(trx: Db): Promise<void> {
  await sql`select lead_states_read()`.execute(trx)
}

/** Before a mapping or a status's type is changed: alone. */
export async function changeLeadStates(trx: Db): Promise<void> {
  await sql`select lead_states_change()`.execute(trx)
}
