import type pg from 'pg'
import { compareLedger } from '../src/domains/ledger/ledger.check.queries.ts'

/** The comparisons of the ledger with its causes that find differences. */
export async function listLedgerDifferences(pool: pg.Pool) {
  const client = await pool.connect()
  try {
    return (await compareLedger(client)).filter(({ differing }) => differing > 0)
  } finally {
    client.release()
  }
}
