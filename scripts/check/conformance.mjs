// Does docs/conformance.md name tests that are there? With --ran also: did each of them run and pass in the last
// npm test and npm run test:full? With --ran=quick: in the last npm test, but for those that test:full alone runs.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { isFullOnly } from '../test-files.mjs'
import { runAsGate } from './gate.mjs'

const page = 'docs/conformance.md'
const sections = 9

/** `file › title`; a file without a folder lies in e2e/tests. `{...}` in a title stands for any words. */
const named = /^(?<file>\S+\.(?:spec|test)\.(?:ts|mjs)) › (?<title>.+)$/

/** Statements of the page with the tests that show them: `[{at, section, statement, tests: [{file, title}]}]`. */
function readStatements(text) {
  let section = 0
  return text.split('\n').flatMap((line, index) => {
    section = Number(/^## (\d+)\./.exec(line)?.[1] ?? section)
    if (!/^\|(?!\s*(?:-|Statement\b))/.test(line)) return []
    const [statement = '', shown = ''] = line.split('|').slice(1, -1)
    return [{ at: index + 1, section, statement: statement.trim(), tests: testsNamed(shown) }]
  })
}

/** The tests that a cell names: `[{file, title}]`; without a file where it names none. */
export const testsNamed = (cell) =>
  cell
    .split('<br>')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map((each) => {
      const { file, title } = named.exec(each)?.groups ?? { title: each }
      return { file: file?.includes('/') === false ? `e2e/tests/${file}` : file, title }
    })

const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
const pattern = (text, hole) => new RegExp(`^${text.split(hole).map(escaped).join('.+')}$`)

const call =
  /\b(?:test|it)(?:\.each\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g
const listed = /\btitle: (['"`])((?:\\.|(?!\1)[^\\])*)\1/g

/** Patterns of the titles in a test's source; what is put in when it runs may be anything. Skipped tests have none. */
export function titlesIn(source) {
  return [...source.matchAll(call), ...source.matchAll(listed)].map(([, , title]) =>
    pattern(title.replace(/\\(['"`])/g, '$1'), /\$\{[^}]*\}|%[sdifjo]|\$[a-z]\w*/),
  )
}

const reportsOf = (folder) =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.json'))
        .map((name) => path.join(folder, name))
    : []

/** What ran last: `[{file, title, passed}]` from the reports of Playwright and Vitest. */
function ranTests(root, speeds) {
  return speeds
    .flatMap((speed) => reportsOf(path.join(root, 'test-results', speed)))
    .flatMap((name) => {
      const report = JSON.parse(readFileSync(name, 'utf8'))
      if (report.suites) return report.suites.flatMap((suite) => specsOf(suite))
      return (report.testResults ?? []).flatMap(({ name: file, assertionResults }) =>
        assertionResults.map(({ title, status }) => ({
          file: path.relative(root, file).split(path.sep).join('/'),
          title,
          passed: status === 'passed',
        })),
      )
    })
}

const specsOf = (suite) => [
  ...(suite.suites ?? []).flatMap(specsOf),
  ...(suite.specs ?? []).map(({ file, title, ok, tests }) => ({
    file: `e2e/tests/${file}`,
    title,
    passed: ok && tests.every(({ status }) => status !== 'skipped'),
  })),
]

/** Answers what is wrong with a test that a page names, or null; `ran` as of {@link checkConformance}. */
export function testProblems(root, ran) {
  const last = ran === undefined ? [] : ranTests(root, ran === 'quick' ? ['quick'] : ['quick', 'full'])
  const titles = new Map()
  return ({ file: test, title }) => {
    if (test === undefined) return `'${title}' names no test. Write 'file.spec.ts › title'.`
    if (!titles.has(test)) {
      const there = existsSync(path.join(root, test))
      titles.set(test, there ? titlesIn(readFileSync(path.join(root, test), 'utf8')) : undefined)
    }
    const known = titles.get(test)
    if (known === undefined) return `there is no ${test}. Name the file that the test moved to.`
    if (!known.some((one) => one.test(title)))
      return `${test} has no test '${title}'. Write its title as it stands there, or write the test.`
    if (ran === undefined || (ran === 'quick' && isFullOnly(test))) return null
    const wanted = pattern(title, /\{[^}]*\}/)
    const runs = last.filter((one) => one.file === test && wanted.test(one.title))
    if (runs.length === 0)
      return `'${title}' of ${test} did not run. Run ${isFullOnly(test) ? 'npm run test:full' : 'npm test'}.`
    return runs.every(({ passed }) => passed) ? null : `'${title}' of ${test} did not pass.`
  }
}

/**
 * `ran`: also whether the tests ran and passed, `quick` in npm test alone, `all` in both.
 * @returns {{problems: string[], statements: number}}
 */
export function checkConformance(root, { ran } = {}) {
  const file = path.join(root, page)
  if (!existsSync(file)) return { problems: [`${page} is missing. Write it.`], statements: 0 }
  const statements = readStatements(readFileSync(file, 'utf8'))
  const problemOf = testProblems(root, ran)
  const problems = statements.flatMap(({ at, statement, tests }) => {
    if (tests.length === 0) return [`${page}:${at}: nothing shows '${statement}'. Name the test that does.`]
    return tests
      .map(problemOf)
      .filter((problem) => problem !== null)
      .map((problem) => `${page}:${at}: ${problem}`)
  })
  for (let section = 1; section <= sections; section++) {
    if (statements.every((each) => each.section !== section))
      problems.push(`${page}: section ${section} of the specification has no row. Add what it states.`)
  }
  return { problems, statements: statements.length }
}

runAsGate(import.meta, (root) => {
  const asked = process.argv.find((argument) => /^--ran(=quick)?$/.test(argument))
  const ran = asked === '--ran' ? 'all' : asked?.slice('--ran='.length)
  const { problems, statements } = checkConformance(root, { ran })
  return { problems, summary: `${statements} statements` }
})
