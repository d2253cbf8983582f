import { Type, type Static } from 'typebox'
import { call } from '../lib/call.ts'
import { Id } from '../lib/field.ts'
import { maxUrl, maxViewName, maxViewRoles } from '../lib/limits.ts'
import { pageSchema } from '../lib/page.ts'
import { listQuery } from '../lib/resource.ts'
import { DateTime, nullable } from '../lib/schemas.ts'
import { ViewSchedule } from './saved-views.schedule.ts'

/**
 * A saved view: the address of a screen of the web under a name. It has no rows: each person who opens it sees the rows
 * that they may see. `screen`: the path with its tab. `is_own`: the caller is its owner; else an admin shared it with
 * the caller's role. `is_default`: it opens when the caller opens the screen without a query. `shared_role_ids` and
 * `schedule`: empty and null for other people than the owner.
 */
export const SavedView = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  screen: Type.String(),
  address: Type.String(),
  is_own: Type.Boolean(),
  is_default: Type.Boolean(),
  shared_role_ids: Type.Array(Type.Integer(), { maxItems: maxViewRoles }),
  schedule: nullable(ViewSchedule),
  created_at: DateTime,
  updated_at: DateTime,
})
export type SavedView = Static<typeof SavedView>

export const viewsPath = '/api/views/'

/** Own views and those shared with the own role. `search` matches the name. */
export const listSavedViews = call({
  id: 'views.list',
  summary: 'List the saved views that you may open',
  method: 'GET',
  path: viewsPath,
  feature: 'saved_views',
  guard: 'person',
  query: listQuery(['id', 'name', 'screen', 'address', 'created_at', 'updated_at'], {
    id: Id,
    name: Type.String({ maxLength: maxViewName }),
    address: Type.String({ maxLength: maxUrl }),
    screen: Type.String({ maxLength: maxUrl }),
    is_own: Type.Boolean(),
    is_default: Type.Boolean(),
    created_at: DateTime,
    updated_at: DateTime,
  }),
  answer: pageSchema(SavedView),
})
