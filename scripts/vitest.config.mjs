import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { include: ['**/*.test.mjs'], pool: 'forks', maxWorkers: 2, testTimeout: 600_000 },
})
