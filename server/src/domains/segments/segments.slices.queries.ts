import type { Db } from '../../platform/database/pool.ts'
import { queryRows } from '../../platform/database/rows.ts'
import { Where } from '../../resources/lists.where.ts'

const largest = 2_147_483_647

/** SQL of the key of the slice of a stream: its owner; without one, the negative stream. Large ids share a slice. */
const keySql = (owner: string, stream: string): string =>
  `greatest(least(coalesce(nullif(${owner}, 0), -${stream}), ${largest}), -${largest})::integer`

/** SQL of the key of the slice of a lead, whose stream is `o`. Without a stream it is 0. */
export const sliceSql = (stream: string): string => keySql('o.user_id', stream)

/** Some streams: those whose owner is in each list of owners, and that are among `streams`, if there is such a list. */
export interface StreamScope {
  readonly owners: readonly (readonly number[])[]
  readonly streams: readonly number[] | undefined
}

/** SQL of the condition that the stream `o` is in a scope. */
export function streamSql(where: Where, { owners, streams }: StreamScope): string {
  const condition = new Where(where.values)
  for (const ids of owners) condition.and(condition.writeOneOf('o.user_id', ids, 'bigint'))
  if (streams !== undefined) condition.and(condition.writeOneOf('o.id', streams, 'bigint'))
  return condition.toString()
}

/** The slices that may have leads of some streams, in segments that do not know of a change of an owner yet. */
export interface Slices {
  readonly keys: readonly number[]
  /** The last change for each key. That of the present owner is later than all. */
  readonly changes: readonly number[]
}

/** The slices of the present and of the former owners of some streams. */
export async function readSlices(trx: Db, scope: StreamScope): Promise<Slices> {
  const where = new Where()
  const condition = streamSql(where, scope)
  const rows = await queryRows<{ key: number; change: number }>(
    trx,
    `select key, max(change) as change from (
        select ${keySql('o.user_id', 'o.id')} as key, ${2 ** 53 - 1} as change from streams o where ${condition}
        union all
        select ${keySql('f.user_id', 'o.id')}, f.change from streams o join stream_former_owners f on f.stream_id = o.id
        where ${condition}
      ) s group by key`,
    where.values,
  )
  return { keys: rows.map(({ key }) => key), changes: rows.map(({ change }) => change) }
}
