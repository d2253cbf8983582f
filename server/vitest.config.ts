import { isFullExtent } from '@karvon/testkit/extent.ts'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    // Forks, because tests start and kill processes. Four on two cores, because many tests wait for a time limit.
    pool: 'forks',
    maxWorkers: 4,
    // The files of one worker share the loaded modules, because loading costs more than most tests.
    isolate: false,
    // The limits only end tests that hang.
    testTimeout: isFullExtent ? 4 * 3_600_000 : 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
  },
})
