import { afterAll, beforeAll, expect, test } from 'vitest'
import { countAddedLines, readSteps, RecipeCopy } from '../../test/recipe.ts'

/** The text recipe is last: its copy of a catalogue has the texts of the others. */
const names = ['add-a-resource', 'add-a-list-filter', 'add-a-report', 'add-a-job', 'add-a-text'] as const
const recipes = names.map((name) => readSteps(name))
const [resourceSteps = []] = recipes
let copy: RecipeCopy

beforeAll(() => {
  copy = new RecipeCopy()
  for (const steps of recipes) for (const step of steps) copy.apply(step)
})
afterAll(() => copy.remove())

const patient = { timeout: 240_000 }

/** Runs test files in the copy, or their tests whose titles match `titles`. Some of each file must pass and none may fail. */
function runTests(folder: string, files: readonly string[], titles?: string) {
  const titleArguments = titles === undefined ? [] : ['-t', titles]
  const { status, output } = copy.run('vitest', 'run', '--root', folder, ...files, ...titleArguments)
  const hasPassed = status === 0 && new RegExp(`Test Files\\s+${files.length} passed`).test(output)
  return hasPassed ? 'passed' : output
}

test('the recipe adds a resource with less than 100 lines', () => {
  expect(resourceSteps.length).toBeGreaterThan(5)
  expect(resourceSteps.reduce((sum, step) => sum + countAddedLines(step), 0)).toBeLessThan(100)
})

test('a list filter, a report, a job and a text are added by the steps of their recipes', () => {
  expect(recipes.map((steps) => steps.length)).toEqual([resourceSteps.length, 7, 15, 5, 10])
})

test('the checkout passes the type check of all three packages after the recipes', patient, () => {
  for (const workspace of ['contract', 'server', 'web']) {
    const { status, output } = copy.run('tsc', '-p', workspace)
    expect(output).toBe('')
    expect(status).toBe(0)
  }
})

test('the files that the recipes change pass the formatter and the linter', patient, () => {
  const files = [...new Set(recipes.flat().map(({ file }) => file))]
  const codeFiles = files.filter((file) => /\.tsx?$/.test(file))
  const jsonFiles = files.filter((file) => file.endsWith('.json'))
  const results = [
    copy.run('oxfmt', '--check', ...codeFiles, ...jsonFiles),
    copy.run('oxlint', '--deny-warnings', ...codeFiles),
  ]
  for (const { status, output } of results) expect(status, output).toBe(0)
})

test(
  'the texts of the recipes are in every language, the added one too, and in the audit log',
  patient,
  () => {
    const files = [
      ...['language', 'language.picked', 'literals', 'messages'].map(
        (name) => `src/lib/i18n/${name}.test.ts`,
      ),
      'audit.texts.test.ts',
    ]
    expect(runTests('web', files)).toBe('passed')
  },
)

test('the filter of the recipe has a bound', patient, () => {
  expect(runTests('contract', ['src/registry.limits.test.ts'])).toBe('passed')
})

// One run for many files, because the start of a database takes longer than most of their tests.
test("the tests of the recipes' filter, table, report and job pass", patient, () => {
  const files = [
    'src/domains/postbacks/postbacks.log.test.ts',
    'src/platform/database/tables.test.ts',
    'reports.buyout.test.ts',
    'reports.model.full.test.ts',
    'notices.link-codes.test.ts',
    'src/app/clock.jobs',
  ]
  expect(runTests('server', files)).toBe('passed')
})

test(
  "the tests of all resources, of access and of scope cover the recipes' resource and report",
  patient,
  () => {
    const files = ['src/resources/crud.test.ts', 'src/app/access.scope', 'src/app/access.matrix']
    expect(runTests('server', files, 'couriers|buyout|has a row|declared scope')).toBe('passed')
  },
)
