import { maxExports, maxExportsPerPerson } from '../limits/limits.ts'
import { createHeavyTaskLimit } from '../limits/heavy-task-limit.ts'
import type { Identity } from '../http/guard.ts'
import type { Release } from '../limits/concurrency-limit.ts'

const limits = {
  kind: 'exports',
  noun: 'downloads',
  max: maxExports,
  maxPerPerson: maxExportsPerPerson,
} as const
const adminLimit = createHeavyTaskLimit(limits)
const personLimit = createHeavyTaskLimit({ ...limits, isShared: true })

/**
 * Takes a slot for an export, which holds a connection of the database. Admins have separate slots, because other
 * people may hold theirs for long by reading slowly.
 */
export const acquireExportSlot = ({ userId, isAdmin }: Identity): Release =>
  (isAdmin ? adminLimit : personLimit).acquire(userId)
