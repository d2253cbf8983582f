import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'

/** What decides which words of which source mean what. */
export const deciding = ['source_id', 'source_name', 'source_name2', 'status_id'] as const

/** The words that a row of source statuses maps. */
export interface Mapping {
  source_id: number
  source_name: string
  source_name2: string | null
}

/** Writes down that words may mean something else from now on: their leads follow once this is committed. */
export async function remapWords(trx: Db, mappings: readonly Mapping[]): Promise<void> {
  const words = mappings.flatMap(({ source_id, source_name, source_name2 }) =>
    [source_name, source_name2].flatMap((word) => (word === null ? [] : [{ source_id, word }])),
  )
  // A new id tells whoever is at the word's leads already that this came in between.
  await sql`
    insert into lead_remaps (source_id, word)
    select distinct source_id, lower(word)
    from unnest(${words.map((each) => each.source_id)}::bigint[], ${words.map((each) => each.word)}::text[])
      as w (source_id, word)
    order by 1, 2
    on conflict (source_id, word) do update set id = default`.execute(trx)
}
