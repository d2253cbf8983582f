import { AppError } from '../http/errors.ts'
import type { RefusalReason } from '../http/refusals.ts'
import { ConcurrencyLimit, getThird } from './concurrency-limit.ts'
import { heavyTaskTimeout } from './limits.ts'

interface HeavyTasks {
  kind: RefusalReason
  /** The name of the tasks in the answer, for example "downloads". */
  noun: string
  max: number
  maxPerPerson: number
  /** One person gets at most a third of the free slots. */
  isShared?: boolean
}

/** Creates the limit of heavy tasks (uploads, imports, exports). The key is a person. */
export const createHeavyTaskLimit = ({
  kind,
  noun,
  max,
  maxPerPerson,
  isShared = false,
}: HeavyTasks): ConcurrencyLimit<number> =>
  new ConcurrencyLimit<number>({
    kind,
    perKey: {
      max: maxPerPerson,
      ...(isShared && { getMax: getThird }),
      reason: kind,
      createError: (retryAfter, slotCount) =>
        new AppError('person_tasks_busy', { max: slotCount, tasks: noun }, { retryAfter }),
    },
    total: {
      max,
      reason: kind,
      createError: (retryAfter) => new AppError('tasks_busy', { tasks: noun }, { retryAfter }),
    },
    retryAfter: 10,
    // Every task ends much earlier.
    holdTimeout: heavyTaskTimeout,
  })
