/** `2026-11-21` as the desk writes days: `21.11.2026`. Other text is returned unchanged. */
export function formatDay(day: string): string {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day)
  return parts ? `${parts[3]}.${parts[2]}.${parts[1]}` : day
}
