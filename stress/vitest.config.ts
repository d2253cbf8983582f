import { defineConfig } from 'vitest/config'

// One file after the other: each part starts products and databases of its own, and ends them.
export default defineConfig({
  test: { include: ['src/**/*.test.ts'], fileParallelism: false, testTimeout: 240_000, hookTimeout: 60_000 },
})
