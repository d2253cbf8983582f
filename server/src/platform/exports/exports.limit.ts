import { maxExports, maxExportsPerPerson } from '../limits/limits.ts'
import { createHeavyTaskLimit } from '../limits/heavy-task-limit.ts'

/** Each export holds a connection of the database. */
export const exportLimit = createHeavyTaskLimit({
  kind: 'exports',
  noun: 'downloads',
  max: maxExports,
  maxPerPerson: maxExportsPerPerson,
})
