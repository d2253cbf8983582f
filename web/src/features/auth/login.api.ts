import { login } from '@karvon/contract/auth/auth.ts'
import { HttpError, send } from '../../lib/http.ts'
import { russianReason } from '../../resources/reason.tsx'
import { readUser, saveSession } from '../../lib/session.store.ts'
import { authTexts } from './auth.texts.ts'

const texts = authTexts.login

/**
 * Signs in and stores the session. `code`: of a second factor, for a host that asked for it.
 * Throws what {@link loginFailure} puts into words; an answer without an access token throws too.
 */
export async function signIn(username: string, password: string, code?: string): Promise<void> {
  const form = new FormData()
  form.set('username', username)
  form.set('password', password)
  if (code !== undefined) form.set('code', code)
  const device = readDevice()
  if (device !== null) form.set('device', device)
  const answer: Partial<Awaited<ReturnType<typeof send<typeof login>>>> | undefined = await send(login, {
    body: form,
  })
  const token = answer?.access_token
  if (typeof token !== 'string' || token === '') throw new Error(texts.noToken)
  saveSession({ token, user: readUser(answer) })
  if (typeof answer?.device === 'string') keepDevice(answer.device)
}

/** By this the host knows the browser again: wrong passwords of others then do not hold its person back. */
const deviceKey = 'karvon_device'

function readDevice(): string | null {
  try {
    return localStorage.getItem(deviceKey)
  } catch {
    return null
  }
}

function keepDevice(device: string): void {
  try {
    localStorage.setItem(deviceKey, device)
  } catch {
    // Where storage is blocked the host counts by the network alone.
  }
}

/** Whether a sign-in failed for want of a second factor's code alone. */
export const wantsCode = (error: unknown): boolean =>
  error instanceof HttpError && error.code === 'second_factor_required'

/** A failed sign-in in words (specification, section 8). */
export function loginFailure(error: unknown): string {
  if (error instanceof HttpError) {
    if (error.status === 401) return texts.wrong
    if (error.detail) return russianReason(error)
  }
  return (error instanceof Error && russianReason(error)) || texts.unknown
}
