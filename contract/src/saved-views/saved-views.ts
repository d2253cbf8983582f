import { Type } from 'typebox'
import { call } from '../lib/call.ts'
import { Id } from '../lib/field.ts'
import { maxUrl, maxViewName, maxViewRoles } from '../lib/limits.ts'
import { nullable, visibleLine } from '../lib/schemas.ts'
import { listSavedViews, SavedView, viewsPath } from './saved-views.list.ts'
import { ScheduleBody } from './saved-views.schedule-body.ts'

const params = Type.Object({ id: Id })
const Name = Type.String({ minLength: 1, maxLength: maxViewName, pattern: visibleLine })
const Address = Type.String({ minLength: 1, maxLength: maxUrl })
const RoleIds = Type.Array(Id, { maxItems: maxViewRoles })
const Schedule = Type.Optional(nullable(ScheduleBody))

/**
 * 403 for a person who shares and is no admin; 409 for a name that the person's screen has, past a limit, and for a
 * channel that the installation has not set up; 422 for a schedule of a view that cannot be sent.
 */
export const createSavedView = call({
  id: 'views.create',
  summary: 'Save an address of the web as a view',
  method: 'POST',
  path: viewsPath,
  feature: 'saved_views',
  guard: 'person',
  status: 201,
  body: Type.Object({
    name: Name,
    address: Address,
    shared_role_ids: Type.Optional(RoleIds),
    schedule: Schedule,
  }),
  answer: SavedView,
})

/** As {@link createSavedView}. 404 for a view of another person; 422 for an address of another screen. */
export const updateSavedView = call({
  id: 'views.update',
  summary: 'Rename, change, share or schedule one of your views; omitted fields stay',
  method: 'PUT',
  path: `${viewsPath}:id/`,
  feature: 'saved_views',
  guard: 'person',
  params,
  body: Type.Object({
    name: Type.Optional(Name),
    address: Type.Optional(Address),
    shared_role_ids: Type.Optional(RoleIds),
    schedule: Schedule,
  }),
  answer: SavedView,
})

/** 404 for a view that the caller may not open. */
export const chooseDefaultView = call({
  id: 'views.default',
  summary: 'Make a view your default for its screen, or end that',
  method: 'PUT',
  path: `${viewsPath}:id/default/`,
  feature: 'saved_views',
  guard: 'person',
  params,
  body: Type.Object({ is_default: Type.Boolean() }),
  answer: SavedView,
})

/**
 * 404 for a view of another person, 409 without a schedule. A message that waits already is not queued a second time.
 * 429 for a person who sends often.
 */
export const sendSavedView = call({
  id: 'views.send',
  summary: 'Send one of your views to yourself now, by the channel of its schedule',
  method: 'POST',
  path: `${viewsPath}:id/send/`,
  feature: 'view_schedules',
  guard: 'person',
  params,
  body: Type.Object({}),
  answer: SavedView,
})

/** 404 for a view of another person. */
export const deleteSavedView = call({
  id: 'views.delete',
  summary: 'Delete one of your views',
  method: 'DELETE',
  path: `${viewsPath}:id/`,
  feature: 'saved_views',
  guard: 'person',
  params,
  answer: Type.Object({ id: Type.Integer() }),
})

export const savedViewCalls = [
  listSavedViews,
  createSavedView,
  updateSavedView,
  chooseDefaultView,
  sendSavedView,
  deleteSavedView,
]
