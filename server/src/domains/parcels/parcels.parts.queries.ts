import { toLikePattern } from '../../resources/crud.queries.ts'
import type { Statement } from '../../platform/exports/exports.rows.ts'
import { buildPlainListQuery } from '../../resources/lists.plain.ts'
import { buildOrderBy, Where } from '../../resources/lists.where.ts'
import type { RowRange } from '../../platform/http/paging.ts'
import { eventJson, noteJson } from './parcels.queries.ts'

interface Query {
  sort?: string
  search?: string
}

/** The events of a parcel, by default newest first. `search` matches a part of the title. */
export function parcelEventsText(parcel: number, { sort, search }: Query, span: RowRange): Statement {
  const matching = new Where().and('e.parcel_id = ?', parcel)
  const visible = matching.toString()
  matching.and('e.title ilike ?', search && toLikePattern(search))
  const order = buildOrderBy({ eventtime: 'e.eventtime' }, sort, '-eventtime', 'e.id')
  return buildPlainListQuery(
    { id: 'e.id', item: eventJson, from: 'parcel_events e', order, visible, matching },
    span,
  )
}

/** The notes of a parcel, by default newest first. `search` matches a part of the text. */
export function notesText(parcel: number, { sort, search }: Query, span: RowRange): Statement {
  const matching = new Where().and('n.parcel_id = ?', parcel)
  const visible = matching.toString()
  matching.and('n.text ilike ?', search && toLikePattern(search))
  const order = buildOrderBy({ id: 'n.id' }, sort, '-id', 'n.id')
  const from = 'parcel_notes n join users u on u.id = n.user_id'
  return buildPlainListQuery({ id: 'n.id', item: noteJson, from, order, visible, matching }, span)
}
