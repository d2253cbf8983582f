/** Whether the run has its full extent: `npm run test:release`. */
export const isFullExtent = process.env['KARVON_TEST_EXTENT'] === 'full'

/** Selects a count of this run, such as that of kills: `long` with the full extent, else `short`. */
export const selectCount = ({ short, long }: { short: number; long: number }): number =>
  isFullExtent ? long : short
