import { useQuery, type QueryClient } from '@tanstack/react-query'
import { appSettings, type AppSettings } from '@karvon/contract/app/app.ts'
import { knowKeys } from './http.keys.ts'
import { send } from './http.ts'

/** What holds where the API host has no settings call, and until it has answered. */
const usualSettings: AppSettings = {
  registration: 'simulated',
  password_reset: 'simulated',
  bulk_users: 'log',
  time_zone: 'Asia/Tashkent',
  currency: 'UZS',
  upload_max_bytes: 20 * 1024 * 1024,
  order_previews: false,
  idempotency_keys: false,
  concurrent_edits: false,
  second_factor: false,
  telegram: false,
}

async function loadSettings(): Promise<AppSettings> {
  try {
    const answer: unknown = await send(appSettings)
    const settings = typeof answer === 'object' ? { ...usualSettings, ...answer } : usualSettings
    knowKeys(settings.idempotency_keys)
    return settings
  } catch {
    return usualSettings
  }
}

const settingsQuery = {
  queryKey: ['settings'],
  queryFn: loadSettings,
  staleTime: Number.POSITIVE_INFINITY,
}

/** What this installation switches on. */
export function useSettings(): AppSettings {
  const { data } = useQuery(settingsQuery)
  return data ?? usualSettings
}

/** Milliseconds that a screen waits for the settings before it is shown without them. */
const patience = 2500

/** For a screen that acts by the settings from its first moment: asks for them before it is shown. */
export const settingsFirst = (client: QueryClient): Promise<AppSettings> =>
  Promise.race([
    client.ensureQueryData(settingsQuery),
    new Promise<AppSettings>((resolve) => {
      setTimeout(() => resolve(usualSettings), patience)
    }),
  ])
