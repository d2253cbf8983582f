import { containing } from '../../resources/crud.queries.ts'
import type { Statement } from '../../platform/exports/exports.rows.ts'
import { plainListText } from '../../resources/lists.plain.ts'
import { orderBy, Where } from '../../resources/lists.where.ts'
import type { Span } from '../../platform/http/paging.ts'
import { eventJson, noteJson } from './parcels.queries.ts'

interface Query {
  sort?: string
  search?: string
}

/** The events of a parcel, newest first unless sorted; `search` finds a part of a title. */
export function parcelEventsText(parcel: number, { sort, search }: Query, span: Span): Statement {
  const matching = new Where().and('e.parcel_id = ?', parcel)
  const visible = matching.toString()
  matching.and('e.title ilike ?', search && containing(search))
  const order = orderBy({ eventtime: 'e.eventtime' }, sort, '-eventtime', 'e.id')
  return plainListText(
    { id: 'e.id', item: eventJson, from: 'parcel_events e', order, visible, matching },
    span,
  )
}

/** The notes on a parcel, newest first unless sorted; `search` finds a part of a text. */
export function notesText(parcel: number, { sort, search }: Query, span: Span): Statement {
  const matching = new Where().and('n.parcel_id = ?', parcel)
  const visible = matching.toString()
  matching.and('n.text ilike ?', search && containing(search))
  const order = orderBy({ id: 'n.id' }, sort, '-id', 'n.id')
  const from = 'parcel_notes n join users u on u.id = n.user_id'
  return plainListText({ id: 'n.id', item: noteJson, from, order, visible, matching }, span)
}
