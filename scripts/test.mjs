// npm test [-- runner ... [filter ...]]: every test of every package, then one closing line with the counts.
// Runners: the packages' names; server runs on PostgreSQL 18 and again on 15.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { fail, ensureInstalled, root } from './install.mjs'
import { closingLine, countPlaywright, countVitest } from './test-count.mjs'

const node = ensureInstalled()
const modules = join(root, 'node_modules')
const results = join(root, 'test-results')
// What .ci/run prints last.
const summary = join(results, 'summary.txt')

const runners = allRunners()
const names = new Set(runners.map((runner) => runner.name))
const given = process.argv.slice(2)
const wanted = given.filter((argument) => names.has(argument))
const filters = given.filter((argument) => !names.has(argument))
const chosen = runners.filter((runner) => wanted.length === 0 || wanted.includes(runner.name))

mkdirSync(results, { recursive: true })
rmSync(summary, { force: true })
const counts = chosen.map(run)
const line = closingLine(counts)
writeFileSync(summary, `${line}\n`)
const failed = counts.some((count) => count.failed > 0)
const passed = counts.some((count) => count.passed > 0)
const shown = given.length > 0 || showsWhatIsSaid()
console.log(`\n${line}`)
process.exit(failed || !passed || !shown ? 1 : 0)

/** A whole run also holds the table of conformance to the tests that really ran. */
function showsWhatIsSaid() {
  const check = ['scripts/check/conformance.mjs', '.', '--ran']
  return spawnSync(node, check, { cwd: root, stdio: 'inherit' }).status === 0
}

function allRunners() {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const list = ['scripts', ...workspaces, 'docs']
    .filter((name) => ['ts', 'mjs'].some((end) => existsSync(join(root, name, `vitest.config.${end}`))))
    .flatMap((name) => (name === 'server' ? serverRunners() : [vitest(name, name)]))
  if (existsSync(join(root, 'e2e', 'playwright.config.ts'))) list.push(playwright())
  return list
}

function serverRunners() {
  const on18 = vitest('server', 'server on PostgreSQL 18', { KARVON_TEST_PG: '18' })
  // An older version of the same package, for one platform; npm installs it elsewhere too.
  const runs15 = process.platform === 'linux' && process.arch === 'x64'
  if (!runs15 || !existsSync(join(modules, 'postgres-15-linux-x64'))) return [on18]
  return [on18, vitest('server', 'server on PostgreSQL 15', { KARVON_TEST_PG: '15' })]
}

function vitest(name, title, env = {}) {
  const report = join(results, `${title.replaceAll(' ', '-')}.json`)
  const args = [join(modules, 'vitest', 'vitest.mjs'), 'run', '--reporter=default', '--reporter=json']
  return { name, title, report, env, args: [...args, `--outputFile.json=${report}`], count: countVitest }
}

function playwright() {
  const report = join(results, 'e2e.json')
  const args = [join(modules, '@playwright', 'test', 'cli.js'), 'test']
  return {
    name: 'e2e',
    title: 'e2e',
    report,
    env: { KARVON_E2E_REPORT: report },
    args,
    count: countPlaywright,
    needsWeb: true,
  }
}

/** Runs one runner in the foreground and counts from its own report. */
function run(runner) {
  console.log(`\n== ${runner.title}`)
  rmSync(runner.report, { force: true })
  if (runner.needsWeb && !ensureBuilt(node)) return { passed: 0, failed: 1, skipped: 0 }
  const { status, signal } = spawnSync(node, [...runner.args, ...filters], {
    cwd: join(root, runner.name),
    stdio: 'inherit',
    env: { ...process.env, ...runner.env },
  })
  if (signal === 'SIGINT' || status === 130) fail('Interrupted.')
  const report = existsSync(runner.report) ? JSON.parse(readFileSync(runner.report, 'utf8')) : undefined
  const count = runner.count(report)
  const none = count.passed + count.failed === 0
  // A filter may match nothing here. Without one, a runner that ran nothing is broken.
  if (filters.length > 0 && none && report !== undefined) return count
  if (none) console.error(`${runner.title} ran no test.`)
  // A file that cannot be loaded fails the run without any failed test.
  if (count.failed === 0 && (none || status !== 0)) return { ...count, failed: 1 }
  return count
}
