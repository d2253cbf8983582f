// npm test, npm run test:full and npm run test:release [-- workspace ... [filter ...]]: runs the tests and prints the counts.
// A filter is a part of a test file's path.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { compileCache, ensureInstalled, root } from './install.mjs'
import { closingLines, countPlaywright, countVitest, sumCounts } from './test-count.mjs'
import { isRelevant } from './test-clocks.mjs'
import { testFiles } from './test-files.mjs'
import { createRunFolder, removeRunFolder } from './test-folder.mjs'
import { listRunners } from './test-runners.mjs'

// Each runner works on two files at a time.
const coresOfRunner = 2

const node = ensureInstalled()
const modules = join(root, 'node_modules')
const selectors = process.argv.slice(2).filter((argument) => !/^--(?:full|release)$/.test(argument))
const speed = ['full', 'release'].find((name) => process.argv.includes(`--${name}`)) ?? 'quick'
const results = join(root, 'test-results', speed)
const startTime = Date.now()
const running = new Set()
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    for (const child of running) child.kill(signal)
    process.exitCode = 130
  })

// The result of a runner that could not start.
const createFailure = (name, message) => ({
  passed: 0,
  failed: 1,
  skipped: 0,
  failures: [{ file: name, title: '', message }],
})

const runners = listRunners(speed)
const folders = new Set(runners.map((runner) => runner.folder))
const selectedFolders = selectors.filter((argument) => folders.has(argument))
const filters = selectors.filter((argument) => !folders.has(argument))
const selectedRunners = runners
  .filter((runner) => selectedFolders.length === 0 || selectedFolders.includes(runner.folder))
  .map((runner) => ({ ...runner, paths: listPaths(runner) }))
  .filter((runner) => runner.paths.length > 0)

rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })
const runFolder = createRunFolder()
const counts = await runAll().finally(() => removeRunFolder(runFolder))
const total = sumCounts(counts)
writeFileSync(join(results, 'summary.json'), JSON.stringify(total))
const isConformant = selectors.length > 0 || speed !== 'quick' || checkConformance()
console.log(`\n${((Date.now() - startTime) / 60_000).toFixed(1)} minutes, ${total.skipped} skipped`)
console.log(closingLines(total))
process.exitCode ||= total.failed > 0 || total.passed === 0 || !isConformant ? 1 : 0

function listPaths(runner) {
  const paths = testFiles(join(root, runner.folder), runner).filter((path) => isRelevant(runner, path))
  return filters.length === 0
    ? paths
    : paths.filter((path) => filters.some((filter) => path.includes(filter)))
}

/** Checks after a run of all tests that the tests in docs/conformance.md ran and passed. */
function checkConformance() {
  const check = ['scripts/check/conformance.mjs', '.', '--ran=quick']
  return spawnSync(node, check, { cwd: root, stdio: 'inherit' }).status === 0
}

/** Runs the runners, as many in parallel as the cores allow, and beside them those that need little, one by one. */
async function runAll() {
  if (selectedRunners.some(({ folder }) => folder === 'e2e') && !ensureBuilt(node))
    return [createFailure('build', 'The web could not be built.')]
  const parallelRuns = Math.max(1, Math.floor(availableParallelism() / coresOfRunner))
  const [besideRunners, mainRunners] = [true, false].map((runsBeside) =>
    selectedRunners.filter((runner) => (runner.runsBeside ?? false) === runsBeside),
  )
  const runNext = async (queue, isBuffered) => {
    const outcomes = []
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      if (process.exitCode === 130) return [...outcomes, createFailure(next.name, 'Stopped by a signal.')]
      outcomes.push(await run(next, isBuffered))
    }
    return outcomes
  }
  const beside = runNext(besideRunners, mainRunners.length > 0)
  const lanes = Array.from({ length: parallelRuns }, () => runNext(mainRunners, parallelRuns > 1))
  return (await Promise.all([...lanes, beside])).flat()
}

/** Runs one runner and counts by its report. `isBuffered` prints its output at its end. */
async function run(runner, isBuffered) {
  if (runner.missing !== undefined) {
    console.log(`\n== ${runner.name}\nSkipped: ${runner.missing}`)
    return { passed: 0, failed: 0, skipped: runner.paths.length, failures: [] }
  }
  const startTime = Date.now()
  const report = join(results, `${runner.name.replaceAll(/\W+/g, '-')}.json`)
  const { args, count, env } = runner.folder === 'e2e' ? playwright(report) : vitest(report)
  if (!isBuffered) console.log(`\n== ${runner.name}`)
  // Another account may write to an existing file, but may not create one.
  if (runner.account !== undefined) {
    writeFileSync(report, '')
    chmodSync(report, 0o666)
  }
  // Otherwise Vite writes the compiled configuration to the folder of the packages.
  const loader = runner.account === undefined ? [] : ['--configLoader=native']
  const child = spawn(node, [...args, ...loader, ...(runner.args ?? []), ...runner.paths], {
    cwd: join(root, runner.folder),
    stdio: isBuffered ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    env: {
      NODE_COMPILE_CACHE: compileCache,
      ...process.env,
      TMPDIR: runFolder,
      ...env,
      ...(typeof runner.env === 'function' ? runner.env() : runner.env),
    },
    ...runner.account,
  })
  running.add(child)
  const output = []
  child.stdout?.on('data', (chunk) => output.push(chunk))
  child.stderr?.on('data', (chunk) => output.push(chunk))
  const status = await new Promise((resolve) => child.once('close', resolve))
  running.delete(child)
  if (isBuffered) console.log(`\n== ${runner.name}\n${Buffer.concat(output).toString()}`)
  console.log(`${runner.name}: ${((Date.now() - startTime) / 1000).toFixed(0)} s`)
  const text = existsSync(report) ? readFileSync(report, 'utf8') : ''
  const testCounts = count(text === '' ? undefined : JSON.parse(text))
  const isEmpty = testCounts.passed + testCounts.failed + testCounts.skipped === 0
  if (testCounts.failed > 0 || (!isEmpty && status === 0)) return testCounts
  // A file that cannot be loaded fails the run without any failed test.
  const { failures } = createFailure(
    runner.name,
    isEmpty ? 'It ran no test.' : `It ended with status ${status}.`,
  )
  return { ...testCounts, failed: 1, failures: [...testCounts.failures, ...failures] }
}

function vitest(report) {
  const args = [join(modules, 'vitest', 'vitest.mjs'), 'run', '--reporter=default', '--reporter=json']
  return { args: [...args, `--outputFile.json=${report}`], count: countVitest, env: {} }
}

function playwright(report) {
  const args = [join(modules, '@playwright', 'test', 'cli.js'), 'test']
  return { args, count: countPlaywright, env: { KARVON_E2E_REPORT: report } }
}
