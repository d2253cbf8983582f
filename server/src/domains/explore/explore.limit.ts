import type { FastifyRequest } from 'fastify'
import { buildQueueOptions } from '../../platform/http/connection-end.ts'
import { AppError } from '../../platform/http/errors.ts'
import { ConcurrencyLimit } from '../../platform/limits/concurrency-limit.ts'
import {
  heavyTaskTimeout,
  maxQuestions,
  maxQuestionsPerPerson,
  maxQueuedRequestsPerPerson,
} from '../../platform/limits/limits.ts'

/** Without this limit, questions about many leads would use all connections and all memory of the database. */
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

/** Runs a question of a person within the limits of questions. Errors: 429 or 503 when too many wait. */
export const runQuestion = <T>(userId: number, request: FastifyRequest, read: () => Promise<T>): Promise<T> =>
  questionLimit.run(userId, read, buildQueueOptions(request))
