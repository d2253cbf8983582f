import {
  problemStatus,
  type FieldProblem,
  type Problem,
  type ProblemCode,
} from '@karvon/contract/lib/problem.ts'

/**
 * The error that code throws on purpose. `code` decides the HTTP status, `detail` is one sentence for a person,
 * `errors` names the wrong fields, `retryAfter` is in whole seconds.
 */
export class AppError extends Error {
  readonly code: ProblemCode
  readonly errors: FieldProblem[] | undefined
  readonly retryAfter: number | undefined

  constructor(
    code: ProblemCode,
    detail: string,
    options: { errors?: FieldProblem[]; retryAfter?: number } = {},
  ) {
    super(detail)
    this.name = 'AppError'
    this.code = code
    this.errors = options.errors
    this.retryAfter = options.retryAfter
  }

  get status(): number {
    return problemStatus[this.code]
  }

  /** The body of the answer. */
  problem(): Problem {
    return { detail: this.message, code: this.code, ...(this.errors && { errors: this.errors }) }
  }
}

export const notFound = (noun: string) => new AppError('not_found', `No such ${noun}.`)

/** 422 for one or more fields; the detail is the first message. */
export function invalid(errors: FieldProblem[]): AppError {
  return new AppError('invalid', errors[0]?.message ?? 'The request is not valid.', { errors })
}
