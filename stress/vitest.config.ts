import { defineConfig } from 'vitest/config'

// One file at a time, because each part starts its own products and databases.
export default defineConfig({
  test: { include: ['src/**/*.test.ts'], fileParallelism: false, testTimeout: 240_000, hookTimeout: 60_000 },
})
