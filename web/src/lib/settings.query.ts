import { appSettings, type AppSettings } from '@karvon/contract/app/app.ts'
import { setIdempotencyKeySupport } from './http.idempotency.ts'
import { HttpError, send } from './http.ts'
import { getSettings, saveSettings } from './settings.store.ts'

/** Failures that do not show whether the host has the call. */
const isTemporary = ({ status }: HttpError) =>
  status < 400 || status >= 500 || status === 408 || status === 429

async function fetchSettings(): Promise<AppSettings> {
  try {
    const answer: unknown = await send(appSettings)
    saveSettings(answer ?? null)
    setIdempotencyKeySupport(getSettings().idempotency_keys)
  } catch (error) {
    if (error instanceof HttpError && !isTemporary(error)) saveSettings(null)
    else pendingSettings = undefined
  }
  return getSettings()
}

let pendingSettings: Promise<AppSettings> | undefined

/** Loads the settings of the host once, and again after a temporary failure. Never rejects. */
export const loadSettings = (): Promise<AppSettings> => (pendingSettings ??= fetchSettings())
