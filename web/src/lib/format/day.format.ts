import { language } from '../i18n/language.ts'
import { missingValue } from './missing.ts'

/** The separator of day, month and year: `21.11.2026`, in English `21/11/2026`. */
export const daySeparator = language === 'en' ? '/' : '.'

/** `2026-11-21` as `21.11.2026`. Other text is returned unchanged. A dash is shown for a missing day. */
export function formatDay(day: string | null | undefined): string {
  if (!day) return missingValue
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day)
  return parts ? [parts[3], parts[2], parts[1]].join(daySeparator) : day
}
