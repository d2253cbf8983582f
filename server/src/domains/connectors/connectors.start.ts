import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { builtInConnectors } from './connectors.builtin.ts'

/** Inserts and updates the built-in connectors. A connector that a user added under such a code stays unchanged. */
export async function ensureConnectors(db: Db): Promise<void> {
  for (const { code, name, description } of builtInConnectors) {
    const text = JSON.stringify(description)
    await sql`
      insert into connectors as c (code, name, description, is_builtin) values (${code}, ${name}, ${text}::jsonb, true)
      on conflict (lower(code)) do update set name = excluded.name, description = excluded.description, updated_at = now()
      where c.is_builtin and (c.name, c.description) is distinct from (excluded.name, excluded.description)`.execute(
      db,
    )
  }
}
