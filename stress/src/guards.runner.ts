import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'

/** The result of a test run. */
export interface TestRun {
  passed: number
  failed: number
  /** The title of the first failed test. */
  firstFailure: string | null
  /** A test file did not load, or its setup failed. */
  hasLoadError: boolean
  output: string
}

interface Report {
  numPassedTests: number
  numFailedTests: number
  testResults: { status: string; assertionResults: { status: string; fullName: string }[] }[]
}

/** Milliseconds. Without a guard of a time limit, tests wait. */
const timeout = 600_000

/** Runs files of the server's tests in a copy of the repository, on the PostgreSQL at `database`. */
export async function runTests(
  copy: string,
  database: string,
  files: readonly string[],
  titleFilter?: string,
): Promise<TestRun> {
  const folder = path.join(copy, 'server')
  const report = path.join(copy, 'report.json')
  await rm(report, { force: true })
  const vitest = path.join(copy, 'node_modules', 'vitest', 'vitest.mjs')
  const args = ['run', ...files, ...(titleFilter === undefined ? [] : ['-t', titleFilter])]
  const options = ['--retry=0', '--bail=1', '--reporter=json', `--outputFile=${report}`]
  const child = spawn(process.execPath, [vitest, ...args, ...options], {
    cwd: folder,
    env: { ...process.env, KARVON_TEST_DATABASE_URL: database, NODE_ENV: 'test', VITEST: undefined },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeout,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await once(child, 'close')
  const text = await readFile(report, 'utf8').catch(() => null)
  if (text === null) return { passed: 0, failed: 0, firstFailure: null, hasLoadError: true, output }
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(text) as Report
  const hasLoadError = testResults.some(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  )
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const firstFailure = tests.find(({ status }) => status === 'failed')?.fullName ?? null
  return { passed: numPassedTests, failed: numFailedTests, firstFailure, hasLoadError, output }
}
