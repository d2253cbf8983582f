import type { Call } from '@karvon/contract/lib/call.ts'
import type { Problem, Reason } from '@karvon/contract/lib/problem.ts'

/** A call that a receiver's own screen would make. */
export interface ReceiverCall {
  readonly userId: number
  readonly call: Call
  readonly query: Readonly<Record<string, unknown>>
}

export interface MessageFile {
  readonly name: string
  readonly content: Buffer
}

/** Reads what a receiver may see, by the routes that answer the receiver's own screen. */
export interface ReceiverCalls {
  /** Reads an answer as JSON. Errors: {@link CallRefusedError}. */
  read(this: void, call: ReceiverCall): Promise<unknown>
  /** Reads the first rows of a list as a workbook; null if it has too many bytes. Errors: {@link CallRefusedError}. */
  readFile(this: void, call: ReceiverCall): Promise<MessageFile | null>
}

/** A route refused the call of a receiver. */
export class CallRefusedError extends Error {
  readonly status: number
  readonly reason: Reason

  constructor(status: number, { detail, code, params, errors }: Problem) {
    super(detail)
    this.name = 'CallRefusedError'
    this.status = status
    this.reason = errors?.[0] ?? { message: detail, code, ...(params && { params }) }
  }
}
