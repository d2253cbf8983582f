import { useSyncExternalStore } from 'react'
import type { AppSettings } from '@karvon/contract/app/app.ts'
import type { Call } from '@karvon/contract/lib/call.ts'
import { createListeners } from './listeners.ts'
import { featureNames, type Feature } from '@karvon/contract/lib/features.ts'

/** The settings of a host without a settings call, and before its first answer. */
const defaultSettings: AppSettings = {
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

/** Reads an answer of the settings call. Missing values and values of another type get the default. */
export function readSettings(answer: unknown): AppSettings {
  if (typeof answer !== 'object' || answer === null) return defaultSettings
  const values = new Map<string, unknown>(Object.entries(answer))
  const defaults = Object.entries(defaultSettings)
  const validEntries = defaults.filter(([key, value]) => typeof values.get(key) === typeof value)
  const settings = {
    ...defaultSettings,
    ...Object.fromEntries(validEntries.map(([key]) => [key, values.get(key)])),
  }
  return isTimeZone(settings.time_zone) ? settings : { ...settings, time_zone: defaultSettings.time_zone }
}

/** The storage key of the last answer, so that a page looks the same while it loads. */
const storageKey = 'settings'

function readStoredSettings(): AppSettings | undefined {
  try {
    const storedText = localStorage.getItem(storageKey)
    return storedText === null ? undefined : readSettings(JSON.parse(storedText))
  } catch {
    return undefined
  }
}

const { notify, subscribe } = createListeners()
let currentSettings: AppSettings | undefined
let isAnswered = false

/** The settings of the host, as far as they are known. */
export function getSettings(): AppSettings {
  if (currentSettings === undefined) {
    const storedSettings = readStoredSettings()
    isAnswered = storedSettings !== undefined
    currentSettings = storedSettings ?? defaultSettings
  }
  return currentSettings
}

/** Stores the answer of the host. Null means that the host has no settings call. */
export function saveSettings(answer: unknown): void {
  currentSettings = readSettings(answer)
  isAnswered = true
  try {
    localStorage.setItem(storageKey, JSON.stringify(answer === null ? null : currentSettings))
  } catch {
    // Without storage each page waits for the answer.
  }
  notify()
}

/** The settings of the host. Renders again when they change. */
export const useSettings = (): AppSettings => useSyncExternalStore(subscribe, getSettings)

/** Whether the host has answered, now or on an earlier visit. Until then no feature counts as announced. */
export const useAreSettingsKnown = (): boolean =>
  useSyncExternalStore(subscribe, () => (getSettings(), isAnswered))

/** Whether the host announces a feature. A feature that is not announced is neither shown nor called. */
export function isAnnounced(feature: Call['feature'], settings = getSettings()): boolean {
  if (feature === undefined) return true
  return settings[feature] === true || settings[feature] === 'live'
}

export const useFeature = (feature: Call['feature']): boolean => isAnnounced(feature, useSettings())

/** {@link useFeature} for what takes space: until the settings are known, the space is reserved. */
export function useFeatureSpace(feature: Call['feature']): boolean {
  const areSettingsKnown = useAreSettingsKnown()
  return useFeature(feature) || !areSettingsKnown
}
