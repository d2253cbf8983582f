/** Whether `npm run test:full` runs the tests: each theme by width, each variant. */
const isFull = process.env['KARVON_E2E_EXTENT'] === 'full'

/** The tag of tests that look at more themes, widths or variants in `npm run test:full`. It repeats these tests alone. */
export const variants = { tag: '@variants' }

/** Of the looks that a test names (themes, widths, or both) those of this run. The test goes on in the last. */
export const looksOf = <Look>(looks: readonly Look[]): readonly Look[] => (isFull ? looks : looks.slice(-1))

/** Of variants of one test (screens, resources): every fifth in `npm test`, all in `npm run test:full`. */
export const sampleOf = <Variant>(each: readonly Variant[]): readonly Variant[] =>
  each.filter((_variant, index) => isFull || index % 5 === 0)
