import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    // Forks, so that a test may start and kill processes. Three on two cores: many tests wait for a limit to run out.
    pool: 'forks',
    maxWorkers: 3,
    // Loading the product costs more than most files' tests: the files of one worker share what is loaded.
    isolate: false,
    // They end what hangs. How long a test may take is no test of the product.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 30_000 } },
  },
})
