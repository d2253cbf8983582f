// Checks that docs/conformance.md names existing tests. --ran also checks that each of them ran and passed in
// the last npm test and npm run test:full. --ran=quick checks the last npm test, without the tests that only
// test:full runs.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { readSpeed } from '../test-files.mjs'
import { runAsGate } from './gate.mjs'

const page = 'docs/conformance.md'
const sections = 9

/** `file › title`. A file without a folder is in e2e/tests. `{...}` in a title matches any text. */
const referencePattern = /^(?<file>\S+\.(?:spec|test)\.(?:ts|mjs)) › (?<title>.+)$/

/** The statements of the page with their tests: `[{at, section, statement, tests: [{file, title}]}]`. */
function readStatements(text) {
  let section = 0
  return text.split('\n').flatMap((line, index) => {
    section = Number(/^## (\d+)\./.exec(line)?.[1] ?? section)
    if (!/^\|(?!\s*(?:-|Statement\b))/.test(line)) return []
    const [statement = '', evidence = ''] = line.split('|').slice(1, -1)
    return [{ at: index + 1, section, statement: statement.trim(), tests: parseTestReferences(evidence) }]
  })
}

/** The tests in a cell: `[{file, title}]`. `file` is undefined if the cell names no file. */
export const parseTestReferences = (cell) =>
  cell
    .split('<br>')
    .map((reference) => reference.trim())
    .filter((reference) => reference !== '')
    .map((reference) => {
      const { file, title } = referencePattern.exec(reference)?.groups ?? { title: reference }
      return { file: file?.includes('/') === false ? `e2e/tests/${file}` : file, title }
    })

const escapeText = (text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
const pattern = (text, hole) => new RegExp(`^${text.split(hole).map(escapeText).join('.+')}$`)

const call =
  /\b(?:test|it)(?:\.each\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g
const listedTitle = /\btitle: (['"`])((?:\\.|(?!\1)[^\\])*)\1/g

/**
 * Patterns of the titles in a test's source. A placeholder matches any text. Skipped tests have no pattern.
 */
export function readTitlePatterns(source) {
  return [...source.matchAll(call), ...source.matchAll(listedTitle)].map(([, , title]) =>
    pattern(title.replace(/\\(['"`])/g, '$1'), /\$\{[^}]*\}|%[sdifjo]|\$[a-z]\w*/),
  )
}

const listReports = (folder) =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.json'))
        .map((name) => path.join(folder, name))
    : []

/** The tests of the last run: `[{file, title, passed}]`, from the reports of Playwright and Vitest. */
function readLastRun(root, speeds) {
  return speeds
    .flatMap((speed) => listReports(path.join(root, 'test-results', speed)))
    .flatMap((name) => {
      const report = JSON.parse(readFileSync(name, 'utf8'))
      if (report.suites) return report.suites.flatMap((suite) => listSpecs(suite))
      return (report.testResults ?? []).flatMap(({ name: file, assertionResults }) =>
        assertionResults.map(({ title, status }) => ({
          file: path.relative(root, file).split(path.sep).join('/'),
          title,
          passed: status === 'passed',
        })),
      )
    })
}

const listSpecs = (suite) => [
  ...(suite.suites ?? []).flatMap(listSpecs),
  ...(suite.specs ?? []).map(({ file, title, ok, tests }) => ({
    file: `e2e/tests/${file}`,
    title,
    passed: ok && tests.every(({ status }) => status !== 'skipped'),
  })),
]

/** Returns a function that finds the problem of a named test, or null. `ran`: see {@link checkConformance}. */
export function createTestCheck(root, ran) {
  const last = ran === undefined ? [] : readLastRun(root, ran === 'quick' ? ['quick'] : ['quick', 'full'])
  const titles = new Map()
  return ({ file: test, title }) => {
    if (test === undefined) return `'${title}' is not the name of a test. Write 'file.spec.ts › title'.`
    if (!titles.has(test)) {
      const there = existsSync(path.join(root, test))
      titles.set(test, there ? readTitlePatterns(readFileSync(path.join(root, test), 'utf8')) : undefined)
    }
    const knownTitles = titles.get(test)
    if (knownTitles === undefined) return `${test} does not exist. Write the current file of the test.`
    if (!knownTitles.some((knownTitle) => knownTitle.test(title)))
      return `${test} has no test '${title}'. Copy the title from the file, or write the test.`
    const speed = readSpeed(test)
    if (ran === undefined || speed === 'release' || (ran === 'quick' && speed === 'full')) return null
    const expectedTitle = pattern(title, /\{[^}]*\}/)
    const runs = last.filter((run) => run.file === test && expectedTitle.test(run.title))
    if (runs.length === 0)
      return `'${title}' of ${test} did not run. Run ${speed === 'full' ? 'npm run test:full' : 'npm test'}.`
    return runs.every(({ passed }) => passed) ? null : `'${title}' of ${test} did not pass.`
  }
}

/**
 * `ran` also checks that the tests ran and passed: `quick` only in npm test, `all` in both.
 * @returns {{problems: string[], statements: number}}
 */
export function checkConformance(root, { ran } = {}) {
  const file = path.join(root, page)
  if (!existsSync(file)) return { problems: [`${page} is missing. Write it.`], statements: 0 }
  const statements = readStatements(readFileSync(file, 'utf8'))
  const findTestProblem = createTestCheck(root, ran)
  const problems = statements.flatMap(({ at, statement, tests }) => {
    if (tests.length === 0) return [`${page}:${at}: '${statement}' has no test. Write the name of its test.`]
    return tests
      .map(findTestProblem)
      .filter((problem) => problem !== null)
      .map((problem) => `${page}:${at}: ${problem}`)
  })
  for (let section = 1; section <= sections; section++) {
    if (statements.every((statement) => statement.section !== section))
      problems.push(`${page}: section ${section} of the specification has no row. Add its statements.`)
  }
  return { problems, statements: statements.length }
}

runAsGate(import.meta, (root) => {
  const option = process.argv.find((argument) => /^--ran(=quick)?$/.test(argument))
  const ran = option === '--ran' ? 'all' : option?.slice('--ran='.length)
  const { problems, statements } = checkConformance(root, { ran })
  return { problems, summary: `${statements} statements` }
})
