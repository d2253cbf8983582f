import { appSettings, type AppSettings } from '@karvon/contract/app/app.ts'
import { knowKeys } from './http.keys.ts'
import { HttpError, send } from './http.ts'
import { getSettings, saveSettings } from './settings.store.ts'

/** Answers that say nothing of whether the host has the call. */
const isTemporary = ({ status }: HttpError) =>
  status < 400 || status >= 500 || status === 408 || status === 429

async function askSettings(): Promise<AppSettings> {
  try {
    const answer: unknown = await send(appSettings)
    saveSettings(answer ?? null)
    knowKeys(getSettings().idempotency_keys)
  } catch (error) {
    if (error instanceof HttpError && !isTemporary(error)) saveSettings(null)
    else asked = undefined
  }
  return getSettings()
}

let asked: Promise<AppSettings> | undefined

/** Asks the host once what it announces; again after a failure that a later call may not have. Never rejects. */
export const loadSettings = (): Promise<AppSettings> => (asked ??= askSettings())
