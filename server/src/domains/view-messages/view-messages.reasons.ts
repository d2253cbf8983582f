import { describeMessage } from '@karvon/contract/lib/field-messages.ts'
import type { Reason } from '@karvon/contract/lib/problem.ts'
import { AppError } from '../../platform/http/errors.ts'
import type { DeliveryFailure } from '../../platform/queue/queue.outcome.ts'
import { CallRefusedError } from './view-messages.calls.ts'

/** Why an attempt to send a message failed: for the queue, and for the person. */
export interface MessageFailure {
  readonly failure: DeliveryFailure
  readonly reason: Reason
}

/** A failure that stays until a person changes something. */
export const refuse = (error: AppError): MessageFailure => rejectFor(error.describe())

const rejectFor = (reason: Reason): MessageFailure => ({
  failure: { kind: 'rejected', reason: reason.message },
  reason,
})

/** Nothing was sent, and a later attempt may succeed. */
const retryFor = (reason: Reason): MessageFailure => ({
  failure: { kind: 'temporary', reason: reason.message, mayHaveArrived: false },
  reason,
})

/** A failure that Telegram or the mail server answered. */
export const describeDelivery = (failure: DeliveryFailure | null): MessageFailure | null =>
  failure && { failure, reason: describeMessage('message_not_delivered', { detail: failure.reason }) }

/** A refused call: it is repeated later if the server is busy. */
export function describeRefusal({ status, reason }: CallRefusedError): MessageFailure {
  return status !== 429 && status < 500 ? rejectFor(reason) : retryFor(reason)
}

/** The figures took too long to read. A later attempt may find a database that is less busy. */
export const describeSlowPreparation = (): MessageFailure =>
  retryFor(new AppError('database_busy').describe())
