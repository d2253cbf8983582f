import { login } from '@karvon/contract/auth/auth.ts'
import { HttpError, send } from '../../lib/http.ts'
import { getRussianErrorMessage } from '../../resources/russian-errors.ts'
import { readUser, saveSession } from '../../lib/session.store.ts'
import { authTexts } from './auth.texts.ts'

const texts = authTexts.login

/**
 * Signs in and stores the session. `code` is the code of a second factor. Throws the errors that {@link
 * getLoginError} puts into words, also when the answer has no access token.
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
  if (typeof answer?.device === 'string') storeDevice(answer.device)
}

/**
 * The storage key of the device id. By this id the host recognises the browser, so that wrong passwords of
 * others do not lock its person out.
 */
const deviceKey = 'karvon_device'

function readDevice(): string | null {
  try {
    return localStorage.getItem(deviceKey)
  } catch {
    return null
  }
}

function storeDevice(device: string): void {
  try {
    localStorage.setItem(deviceKey, device)
  } catch {
    // Without storage the host limits attempts by network address only.
  }
}

/** Whether a sign-in failed because a code of the second factor is needed. */
export const needsCode = (error: unknown): boolean =>
  error instanceof HttpError && error.code === 'second_factor_required'

/** The message of a failed sign-in (specification, section 8). */
export function getLoginError(error: unknown): string {
  if (error instanceof HttpError) {
    if (error.status === 401) return texts.wrong
    if (error.detail) return getRussianErrorMessage(error)
  }
  return (error instanceof Error && getRussianErrorMessage(error)) || texts.unknown
}
