import { forgotPassword, register, resetPassword } from '@karvon/contract/accounts/accounts.ts'
import type { BodyOf } from '@karvon/contract/lib/call.ts'
import { HttpError, send } from '../../lib/http.ts'
import { russianReason } from '../../resources/reason.tsx'

/** Registers an account that an admin then activates. Throws {@link HttpError}. */
export async function registerLive(body: BodyOf<typeof register>): Promise<void> {
  await send(register, { body })
}

/** Has a link to a new password mailed. Throws {@link HttpError}. */
export async function askForLink(email: string): Promise<void> {
  await send(forgotPassword, { body: { email } })
}

/** Sets a password by a mailed link; false where the link is not good any more. Throws {@link HttpError}. */
export async function setByLink(token: string, password: string): Promise<boolean> {
  try {
    await send(resetPassword, { body: { token, password } })
    return true
  } catch (error) {
    if (error instanceof HttpError && error.errors.some(({ field }) => field === 'token')) return false
    throw error
  }
}

/** A failure as the specification words it, and the server's own reason behind it. */
export const withReason = (words: string, error: unknown): string =>
  error instanceof HttpError && error.detail ? `${words} ${russianReason(error)}` : words
