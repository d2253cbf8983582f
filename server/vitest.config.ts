import { configDefaults, defineConfig } from 'vitest/config'

// On the older version it is the SQL that is tested. The launcher serves the version that Karvon brings; a recipe
// needs one walk, and so do the spellings of addresses; what kills processes or weighs their memory says the same on either.
const once = [
  'src/db/embedded*.test.ts',
  'src/kit/crud.recipe.test.ts',
  'src/app/access.paths.test.ts',
  'src/main*.test.ts',
  'src/**/*.kill.test.ts',
  'src/**/*.memory.test.ts',
]
const left = process.env.KARVON_TEST_PG === '15' ? once : []

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...left],
    globalSetup: ['test/global-setup.ts'],
    // Forks, so that a test may start and kill processes; two of them are what a small machine carries.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    // One that only passes the second time is marked in the report, and is to be mended.
    retry: 1,
    hookTimeout: 60_000,
  },
})
