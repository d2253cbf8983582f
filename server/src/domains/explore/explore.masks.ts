import type { DimensionName } from '@karvon/contract/explore/explore.dimensions.ts'
import type { Db } from '../../platform/database/pool.ts'
import { isTextDimension } from '../rollups/rollups.text-columns.queries.ts'
import type { SegmentColumn } from '../segments/segments.columns.ts'
import { columnOf, maxSlots, readOwnerTable } from './explore.axes.ts'
import type { TextCodes } from './explore.changed.ts'
import type { Question } from './explore.question.ts'
import { readFilterCodes, readOwners, readRoleSources } from './explore.segments.queries.ts'

/** The place of a lead that does not count. The number of its cell is then always below 0. */
export const noPlace = -(2 ** 26)

/** The condition that a lead counts: for each code of a column 0, or `noPlace`. */
export interface Mask {
  readonly column: SegmentColumn
  readonly placeByCode: Int32Array
}

const toMask = (column: SegmentColumn, codes: Iterable<number>): Mask => {
  const placeByCode = new Int32Array(maxSlots).fill(noPlace)
  for (const code of codes) if (code < maxSlots) placeByCode[code] = 0
  return { column, placeByCode }
}

/** The filters of a question, except that by weekday, and the scope of its viewer. */
export async function readMasks(trx: Db, { filters, viewer }: Question, texts: TextCodes): Promise<Mask[]> {
  const masks: Mask[] = []
  if (viewer !== null) {
    const owners = await readOwners(trx)
    masks.push(
      toMask(
        'stream',
        owners.flatMap(({ id, user_id: user }) => (user === viewer.userId ? [id] : [])),
      ),
      toMask('source', await readRoleSources(trx, viewer.roleId)),
    )
  }
  for (const [name, values] of Object.entries(filters) as [DimensionName, readonly (number | string)[]][]) {
    const column = columnOf(name)
    if (column === null) continue
    if (name === 'buyer') {
      const owners = await readOwnerTable(trx)
      const users = new Set<unknown>(values)
      const streams = [...owners.keys()].filter((stream) => users.has(owners[stream]))
      masks.push(toMask(column, streams))
    } else if (isTextDimension(name)) {
      const newCodes = values.flatMap((text) => texts.listAdded(name).get(String(text)) ?? [])
      masks.push(toMask(column, [...newCodes, ...(await readFilterCodes(trx, name, values))]))
    } else masks.push(toMask(column, values.map(Number)))
  }
  return masks
}
