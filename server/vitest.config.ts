import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    // Forks, so that a test may start and kill processes; two of them are what a small machine carries.
    pool: 'forks',
    maxWorkers: 2,
    // Loading the product costs more than most files' tests: the files of one worker share what is loaded.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
