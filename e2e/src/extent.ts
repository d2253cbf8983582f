/** Whether each theme by width is looked at, as `npm run test:full` does, or the last one of a journey alone. */
const isEvery = process.env['KARVON_E2E_LOOKS'] === 'every'

/** Of the looks that a journey names (themes, widths, or both) those of this run. The journey goes on in the last. */
export const looksOf = <Look>(looks: readonly Look[]): readonly Look[] => (isEvery ? looks : looks.slice(-1))
