import { useSyncExternalStore } from 'react'
import type { AppSettings } from '@karvon/contract/app/app.ts'
import type { Call } from '@karvon/contract/lib/call.ts'
import { featureNames, type Feature } from '@karvon/contract/lib/features.ts'

/** What holds where the API host has no settings call, and until it has answered for the first time. */
const usualSettings: AppSettings = {
  registration: 'simulated',
  password_reset: 'simulated',
  bulk_users: 'log',
  time_zone: 'Asia/Tashkent',
  currency: 'UZS',
  upload_max_bytes: 20 * 1024 * 1024,
  ...(Object.fromEntries(featureNames.map((name) => [name, false])) as Record<Feature, boolean>),
}

const isTimeZone = (zone: unknown) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: String(zone) }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** An answer of the settings call, with the usual value for whatever is missing or of another type. */
export function readSettings(answer: unknown): AppSettings {
  if (typeof answer !== 'object' || answer === null) return usualSettings
  const given = new Map<string, unknown>(Object.entries(answer))
  const usual = Object.entries(usualSettings)
  const known = usual.filter(([key, value]) => typeof given.get(key) === typeof value)
  const settings = { ...usualSettings, ...Object.fromEntries(known.map(([key]) => [key, given.get(key)])) }
  return isTimeZone(settings.time_zone) ? settings : { ...settings, time_zone: usualSettings.time_zone }
}

/** The key in local storage under which the last answer is kept, so that a page looks the same while it loads. */
const storageKey = 'settings'

function storedSettings(): AppSettings {
  try {
    return readSettings(JSON.parse(localStorage.getItem(storageKey) ?? 'null'))
  } catch {
    return usualSettings
  }
}

const listeners = new Set<() => void>()
let current: AppSettings | undefined

/** What the API host announces, as far as it is known. */
export const getSettings = (): AppSettings => (current ??= storedSettings())

/** Takes what the host answered; null where it has no settings call. */
export function saveSettings(answer: unknown): void {
  current = readSettings(answer)
  try {
    if (answer === null) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, JSON.stringify(current))
  } catch {
    // Where nothing can be stored, each page waits for the answer.
  }
  for (const listener of listeners) listener()
}

function onSettings(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** What this installation switches on. */
export const useSettings = (): AppSettings => useSyncExternalStore(onSettings, getSettings)

/** Whether the host has a feature; what it does not announce is neither shown nor asked for. */
export function isAnnounced(feature: Call['feature'], settings = getSettings()): boolean {
  if (feature === undefined) return true
  return settings[feature] === true || settings[feature] === 'live'
}

export const useFeature = (feature: Call['feature']): boolean => isAnnounced(feature, useSettings())
