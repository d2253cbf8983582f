import { forgotPassword, register, resetPassword } from '@karvon/contract/accounts/accounts.ts'
import type { BodyOf } from '@karvon/contract/lib/call.ts'
import { HttpError, send } from '../../lib/http.ts'
import { getRussianErrorMessage } from '../../resources/russian-errors.ts'

/** Registers an account. An admin must activate it. Throws {@link HttpError}. */
export async function registerLive(body: BodyOf<typeof register>): Promise<void> {
  await send(register, { body })
}

/** Requests a mail with a link to set a new password. Throws {@link HttpError}. */
export async function requestResetLink(email: string): Promise<void> {
  await send(forgotPassword, { body: { email } })
}

/**
 * Sets a password by a mailed link. Returns false when the link is no longer valid. Throws {@link HttpError}.
 */
export async function resetPasswordByLink(token: string, password: string): Promise<boolean> {
  try {
    await send(resetPassword, { body: { token, password } })
    return true
  } catch (error) {
    if (error instanceof HttpError && error.errors.some(({ field }) => field === 'token')) return false
    throw error
  }
}

/** The specified text of a failure, with the server's reason behind it. */
export const appendReason = (text: string, error: unknown): string =>
  error instanceof HttpError && error.detail ? `${text} ${getRussianErrorMessage(error)}` : text
