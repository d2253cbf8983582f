import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './install.mjs'
import { clockRunners, shift75Days, isRelevant } from './test-clocks.mjs'
import { testFiles } from './test-files.mjs'

const filesOf = (runner) =>
  testFiles(join(root, runner.folder), runner).filter((path) => isRelevant(runner, path))
/** The times at which a run begins by the clocks of product and database. */
const clocksOf = ({ env }) => {
  const { FAKETIME, KARVON_TEST_DATABASE_TIME } = env()
  return [FAKETIME, KARVON_TEST_DATABASE_TIME].map((offset) =>
    // To the next minute, because offsets are whole seconds.
    new Date(Date.now() + Number(offset) * 1000 + 30_000).toISOString().slice(5, 16),
  )
}
const findRunner = (part) => clockRunners.find(({ name }) => name.includes(part))

test('a run at another time starts the database then, with the process 3 minutes off', () => {
  expect(clocksOf(findRunner('29 February'))).toEqual(['02-29T07:03', '02-29T07:00'])
  expect(clocksOf(findRunner('31 December'))).toEqual(['12-31T18:47', '12-31T18:50'])
})

test('the run in 75 days has one clock for product and database', () => {
  const [product, database] = clocksOf({ env: shift75Days })
  expect(product).toBe(database)
  expect(Number(shift75Days().FAKETIME)).toBe(75 * 24 * 3600)
})

test('each clock run has the files that compare times with the present, and no others', () => {
  for (const runner of clockRunners) {
    const files = filesOf(runner)
    for (const path of [
      'app/networks',
      'domains/auth/sessions',
      'domains/notices/notices',
      'domains/uploads/uploads.queue',
    ])
      expect(files, runner.name).toContain(`src/${path}.test.ts`)
    expect(files, runner.name).not.toContain('src/platform/http/serve.test.ts')
    expect(files, runner.name).not.toContain('src/main.full.test.ts')
  }
})

test('a clock run that is impossible on this machine says why', () => {
  for (const { name, missing, env } of clockRunners)
    expect(env().LD_PRELOAD === undefined ? missing : 'libfaketime', name).toMatch(/libfaketime/)
})
