import type { FastifyRequest } from 'fastify'
import { getConnectionEndSignal } from '../../platform/http/connection-end.ts'
import { AppError } from '../../platform/http/errors.ts'
import { ConcurrencyLimit } from '../../platform/limits/concurrency-limit.ts'
import {
  heavyTaskTimeout,
  maxQuestions,
  maxQuestionsPerPerson,
  maxQueuedRequestsPerPerson,
  queuedRequestTimeout,
} from '../../platform/limits/limits.ts'

/** Without it, questions about many leads would hold all connections of the database, and its memory. */
const questionLimit = new ConcurrencyLimit<number>({
  kind: 'questions',
  perKey: {
    max: maxQuestionsPerPerson,
    reason: 'questions',
    createError: (retryAfter) =>
      new AppError('person_tasks_busy', { max: maxQuestionsPerPerson, tasks: 'questions' }, { retryAfter }),
  },
  total: {
    max: maxQuestions,
    reason: 'questions',
    createError: (retryAfter) => new AppError('tasks_busy', { tasks: 'questions' }, { retryAfter }),
  },
  maxQueuedPerKey: maxQueuedRequestsPerPerson,
  holdTimeout: heavyTaskTimeout,
})

/** Reads leads for the request of a person when few enough others do so. Errors: 429 or 503 when too many wait. */
export const runQuestion = <T>(userId: number, request: FastifyRequest, read: () => Promise<T>): Promise<T> =>
  questionLimit.run(userId, read, { timeout: queuedRequestTimeout, signal: getConnectionEndSignal(request) })
