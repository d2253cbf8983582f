import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addedLines, follow, stepsOf } from '../../test/recipe.ts'

const repository = join(import.meta.dirname, '..', '..', '..')
const steps = stepsOf(readFileSync(join(repository, 'docs/recipes/add-a-resource.md'), 'utf8'))
const program = (name: string) => join(repository, 'node_modules', '.bin', name)
let copy: string

/** A copy of the checkout, inside it so that packages resolve, with the recipe followed in it. */
beforeAll(() => {
  mkdirSync(join(repository, '.cache'), { recursive: true })
  copy = mkdtempSync(join(repository, '.cache', 'recipe-'))
  const taken = ['contract', 'server', 'web', 'testkit', 'tsconfig.base.json']
  const skipped = /[/\\](node_modules|dist)([/\\]|$)/
  for (const each of taken) {
    cpSync(join(repository, each), join(copy, each), {
      recursive: true,
      filter: (path) => !skipped.test(path.slice(repository.length)),
    })
  }
  mkdirSync(join(copy, 'node_modules', '@karvon'), { recursive: true })
  for (const each of ['contract', 'server', 'web'])
    symlinkSync(join(copy, each), join(copy, 'node_modules', '@karvon', each))
  for (const step of steps) follow(copy, step)
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

function run(name: string, ...args: string[]): { status: number | null; output: string } {
  const env = { ...process.env, VITEST: undefined, KARVON_TEST_DATABASE_URL: undefined, NO_COLOR: '1' }
  const { status, stdout, stderr } = spawnSync(process.execPath, [program(name), ...args], {
    cwd: copy,
    encoding: 'utf8',
    env,
  })
  return { status, output: stdout + stderr }
}

test('the recipe for a resource costs under 100 lines', () => {
  expect(steps.length).toBeGreaterThan(5)
  expect(steps.reduce((sum, step) => sum + addedLines(step), 0)).toBeLessThan(100)
})

test('the resource that it adds is sound in all three packages', { timeout: 120_000 }, () => {
  for (const each of ['contract', 'server', 'web']) {
    const { status, output } = run('tsc', '-p', each)
    expect(output).toBe('')
    expect(status).toBe(0)
  }
})

test('every language has its words', { timeout: 120_000 }, () => {
  const { status, output } = run('vitest', 'run', '--root', 'web', 'src/lib/i18n/language.test.ts')
  expect(output).toMatch(/Tests\s+[1-9]\d* passed/)
  expect(status, output).toBe(0)
})

test('the walk over the registry tries it without a test of its own', { timeout: 120_000 }, () => {
  const { status, output } = run(
    'vitest',
    'run',
    '--root',
    'server',
    '-t',
    'couriers',
    'src/resources/crud.test.ts',
  )
  expect(output).toMatch(/Tests\s+[1-9]\d* passed/)
  expect(status, output).toBe(0)
})
