/** What stands for a value that is not there. */
export const missingValue = '—'
