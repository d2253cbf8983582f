import { errorMessages, type ErrorCode, type ErrorParams } from '@karvon/contract/lib/error-messages.ts'
import { describeMessage } from '@karvon/contract/lib/field-messages.ts'
import type { MessageParams } from '@karvon/contract/lib/message.ts'
import type { FieldProblem, Problem } from '@karvon/contract/lib/problem.ts'

interface ErrorOptions {
  /** The errors of an `invalid` request. */
  errors?: FieldProblem[]
  /** The wrong fields. Each gets the message of the error. */
  fields?: readonly string[]
  /** Whole seconds. */
  retryAfter?: number
  /** The original error, for the log. */
  cause?: unknown
}

/** A code with the parameters that its message needs. */
type ErrorArguments = {
  [Code in ErrorCode]: keyof ErrorParams<Code> extends never
    ? [code: Code, params?: Readonly<Record<string, never>>, options?: ErrorOptions]
    : [code: Code, params: ErrorParams<Code>, options?: ErrorOptions]
}[ErrorCode]

/** An expected error. The HTTP status and the message of its code are in `errorMessages`. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly params: MessageParams
  readonly errors: FieldProblem[] | undefined
  readonly retryAfter: number | undefined

  constructor(...[code, params = {}, options = {}]: ErrorArguments) {
    const { errors, fields, retryAfter, cause } = options
    const description = describeMessage(code, params)
    super(errors?.[0]?.message ?? description.message, cause === undefined ? {} : { cause })
    this.name = 'AppError'
    this.code = code
    this.params = params
    this.errors = errors ?? fields?.map((field) => ({ field, ...this.describe() }))
    this.retryAfter = retryAfter
  }

  get status(): number {
    return errorMessages[this.code].status
  }

  /** The message with its code and parameters, for an answer that reports this error about a field or a row. */
  describe() {
    return describeMessage(this.code, this.params)
  }

  /** The body of the answer. */
  problem(): Problem {
    const { code, params } = this.describe()
    return {
      detail: this.message,
      code,
      ...(params && { params }),
      ...(this.errors && { errors: this.errors }),
    }
  }
}

export const notFound = (noun: string) => new AppError('not_found', { noun })

/** 422 for one or more fields; the detail is the first message. */
export const invalid = (errors: FieldProblem[]) => new AppError('invalid', {}, { errors })
