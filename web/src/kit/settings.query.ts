import { useQuery } from '@tanstack/react-query'
import { appSettings, type AppSettings } from '@karvon/contract/app/app.ts'
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
  telegram: false,
}

async function loadSettings(): Promise<AppSettings> {
  try {
    const answer: unknown = await send(appSettings)
    return typeof answer === 'object' ? { ...usualSettings, ...answer } : usualSettings
  } catch {
    return usualSettings
  }
}

/** What this installation switches on. */
export function useSettings(): AppSettings {
  const { data } = useQuery({
    queryKey: ['settings'],
    queryFn: loadSettings,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data ?? usualSettings
}
