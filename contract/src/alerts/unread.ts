import { Type } from 'typebox'
import { call } from '../lib/call.ts'

/** This call has a file of its own, because the header of every page makes it. */
export const countUnreadAlerts = call({
  id: 'inbox.count',
  summary: 'Count your alerts that are neither read nor snoozed',
  method: 'GET',
  path: '/api/inbox/unread/',
  feature: 'alerts',
  guard: 'person',
  answer: Type.Object({ unread: Type.Integer() }),
})
