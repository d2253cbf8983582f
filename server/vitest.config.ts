import { configDefaults, defineConfig } from 'vitest/config'

// The launcher serves the version that Karvon brings, and a recipe needs one walk; on the older one it is the
// SQL that is tested.
const launcher =
  process.env.KARVON_TEST_PG === '15' ? ['src/db/embedded*.test.ts', 'src/kit/crud.recipe.test.ts'] : []

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...launcher],
    globalSetup: ['test/global-setup.ts'],
    // Forks, so that a test may start and kill processes; two of them are what a small machine carries.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
})
