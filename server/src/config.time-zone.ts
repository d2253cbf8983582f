/**
 * The name of a time zone as PostgreSQL and JavaScript read it alike; null for an offset. PostgreSQL reads short names such as EET and IST
 * as fixed offsets, which JavaScript does not do. Throws a RangeError for an unknown time zone.
 */
export function resolveZoneName(value: string): string | null {
  const zone = new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone
  return /^[a-z]/i.test(zone) ? keepZoneName(value, zone) : null
}

/**
 * The name of a time zone that JavaScript knows as `zone`. JavaScript answers the former name of some cities, such as Asia/Katmandu. The
 * time zones of PostgreSQL may lack these names.
 */
function keepZoneName(value: string, zone: string): string {
  const isFormerName =
    zone.toLowerCase() !== value.toLowerCase() && zone.split('/')[0] === value.split('/')[0]
  return isFormerName ? value : zone
}
