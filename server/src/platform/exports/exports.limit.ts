import { maxExports, maxExportsPerPerson } from '../limits/limits.ts'
import { HeavyTaskLimit } from '../limits/heavy-task-limit.ts'

/** Each export holds a connection of the database. */
export const exportLimit = new HeavyTaskLimit('exports', 'downloads', maxExports, maxExportsPerPerson)
