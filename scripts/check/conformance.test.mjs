import { expect, test } from 'vitest'
import { checkConformance, readTitlePatterns } from './conformance.mjs'
import { createFolder } from './fixture.mjs'

const rows = (first) =>
  Array.from({ length: 9 }, (_, i) => {
    const evidence = i === 0 ? first : 'auth.spec.ts › signs in'
    return `## ${i + 1}. Part\n\n| Statement | Shown by |\n|---|---|\n| It does | ${evidence} |\n`
  }).join('\n')

const folder = (first, furtherFiles = {}) =>
  createFolder({
    'docs/conformance.md': rows(first),
    'e2e/tests/auth.spec.ts': `test('signs in', run)\ntest.skip('is skipped', run)\ntest(\`the role '\${role}' has it\`, run)`,
    'web/src/lib/x.test.ts': `it.each([['a', f(1)], ['b', 2]])('%s is fine', run)\nconst cases = [{ title: "it\\'s told" }]`,
    ...furtherFiles,
  })

const problems = (first, furtherFiles, options) =>
  checkConformance(folder(first, furtherFiles), options).problems

test('the check of conformance accepts rows with existing tests, with any form of title', () => {
  const references = [
    'auth.spec.ts › signs in',
    "auth.spec.ts › the role '{role}' has it",
    'web/src/lib/x.test.ts › a is fine',
    "web/src/lib/x.test.ts › it's told",
  ]
  expect(checkConformance(folder(references.join('<br>')))).toEqual({ problems: [], statements: 9 })
})

test('the check of conformance refuses a row without a test, with a missing test or file, or with a skipped test', () => {
  expect(problems('')).toEqual([expect.stringContaining("'It does' has no test")])
  expect(problems('by hand')).toEqual([expect.stringContaining("'by hand' is not the name of a test")])
  expect(problems('gone.spec.ts › signs in')).toEqual([
    expect.stringContaining('e2e/tests/gone.spec.ts does not exist'),
  ])
  expect(problems('auth.spec.ts › signs out')).toEqual([expect.stringContaining("has no test 'signs out'")])
  expect(problems('auth.spec.ts › is skipped')).toEqual([expect.stringContaining("has no test 'is skipped'")])
})

test('the check of conformance refuses a missing page and a section without a row', () => {
  expect(checkConformance(createFolder({})).problems).toHaveLength(1)
  const root = createFolder({ 'docs/conformance.md': '# Nothing' })
  expect(checkConformance(root).problems).toHaveLength(9)
})

const report = (file, title, ok = true) =>
  JSON.stringify({
    suites: [{ suites: [{ specs: [{ file, title, ok, tests: [{ status: 'expected' }] }] }] }],
  })

test('the check of conformance refuses a test that did not run or pass, if the last run is checked', () => {
  const first = 'auth.spec.ts › signs in'
  const quick = (title, ok) => ({ 'test-results/quick/e2e.json': report('auth.spec.ts', title, ok) })
  for (const ran of ['quick', 'all']) {
    expect(problems(first, quick('signs in'), { ran })).toEqual([])
    expect(problems(first, quick('signs in', false), { ran })).toHaveLength(9)
    expect(problems(first, quick('another'), { ran })[0]).toContain('did not run. Run npm test.')
  }
})

test('a test of a full-only file must run in test:full, and not in npm test', () => {
  const first = 'looks.full.spec.ts › fits'
  const furtherFiles = {
    'e2e/tests/looks.full.spec.ts': `test('fits', run)`,
    'test-results/quick/e2e.json': report('auth.spec.ts', 'signs in'),
  }
  expect(problems(first, furtherFiles, { ran: 'quick' })).toEqual([])
  expect(problems(first, furtherFiles, { ran: 'all' })).toEqual([
    expect.stringContaining('did not run. Run npm run test:full.'),
  ])
  const allFiles = {
    ...furtherFiles,
    'test-results/full/e2e-full.json': report('looks.full.spec.ts', 'fits'),
  }
  expect(problems(first, allFiles, { ran: 'all' })).toEqual([])
})

test('the check of conformance reads titles in any quotes', () => {
  const source = `test("it's one", a)\nit(\n  'two', b)\ntest.describe('none', c)`
  expect(readTitlePatterns(source).map((pattern) => pattern.source)).toEqual(["^it's one$", '^two$'])
})
