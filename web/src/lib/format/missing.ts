/** The text for a missing value. */
export const missingValue = '—'
