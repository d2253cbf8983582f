import type { Db } from '../../platform/database/pool.ts'
import { builtInConnectors } from './connectors.builtin.ts'
import { saveBuiltInConnector } from './connectors.queries.ts'

/** Inserts and updates the built-in connectors. A connector that a user added under such a code stays unchanged. */
export async function ensureConnectors(db: Db): Promise<void> {
  for (const { code, name, description } of builtInConnectors) {
    await saveBuiltInConnector(db, { code, name, description: JSON.stringify(description) })
  }
}
