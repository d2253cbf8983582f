import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    environment: 'node',
    // The limit only ends a test that hangs.
    testTimeout: 120_000,
  },
})
