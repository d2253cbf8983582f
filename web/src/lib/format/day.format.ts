import { language } from '../i18n/language.ts'

/** What stands between day, month and year, in this order: `21.11.2026`, in English `21/11/2026`. */
export const dayMark = language === 'en' ? '/' : '.'

/** `2026-11-21` as the desk writes days: `21.11.2026`. Other text is returned unchanged; a dash stands for a missing day. */
export function formatDay(day: string | null | undefined): string {
  if (!day) return '—'
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day)
  return parts ? [parts[3], parts[2], parts[1]].join(dayMark) : day
}
