/** Whether the run has its full extent, as `npm run test:release` has it. */
export const isFullExtent = process.env['KARVON_TEST_EXTENT'] === 'full'

/** Selects a count of this run, such as that of kills: `long` in `npm run test:release`, `short` in the other commands. */
export const selectCount = ({ short, long }: { short: number; long: number }): number =>
  isFullExtent ? long : short
