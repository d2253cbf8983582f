import { isFullExtent } from '@karvon/testkit/extent.ts'

/** Tags a test that checks more themes, widths or variants in `npm run test:release`. */
export const variants = { tag: '@variants' }

/** Selects the themes or widths of this run from those of a test. The test continues in the last. */
export const selectAppearances = <Appearance>(appearances: readonly Appearance[]): readonly Appearance[] =>
  isFullExtent ? appearances : appearances.slice(-1)

/**
 * The themes in which this run checks a page at the width: dark on phones and light on desktops, both in
 * `npm run test:release`.
 */
export const selectThemes = (width: number): readonly ('light' | 'dark')[] =>
  isFullExtent ? ['light', 'dark'] : [width <= 768 ? 'dark' : 'light']

/** Selects the variants of this run (screens, resources): every fifth, or all in `npm run test:release`. */
export const selectSample = <Variant>(values: readonly Variant[]): readonly Variant[] =>
  values.filter((_variant, index) => isFullExtent || index % 5 === 0)

/**
 * Selects the states that this run checks at one of two widths (index 0 or 1): each state is checked at one of them, and at both in
 * `npm run test:release`.
 */
export const selectAlternately = <State>(states: readonly State[], index: number): readonly State[] =>
  states.filter((_state, position) => isFullExtent || position % 2 === index)
