import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'

/** How a run of tests ended. */
export interface Tested {
  passed: number
  failed: number
  /** The name of the first test that failed. */
  first: string | null
  /** A file could not be loaded, or its set-up failed. */
  broken: boolean
  printed: string
}

interface Report {
  numPassedTests: number
  numFailedTests: number
  testResults: { status: string; assertionResults: { status: string; fullName: string }[] }[]
}

/** Milliseconds after which a run is ended: a guard of time that is out lets tests wait. */
const patience = 600_000

/** Runs files of the server's tests in a copy of the repository, on the PostgreSQL at `database`. */
export async function runTests(
  copy: string,
  database: string,
  files: readonly string[],
  only?: string,
): Promise<Tested> {
  const folder = path.join(copy, 'server')
  const report = path.join(copy, 'report.json')
  await rm(report, { force: true })
  const vitest = path.join(copy, 'node_modules', 'vitest', 'vitest.mjs')
  const asked = ['run', ...files, ...(only === undefined ? [] : ['-t', only])]
  const manner = ['--retry=0', '--bail=1', '--reporter=json', `--outputFile=${report}`]
  const child = spawn(process.execPath, [vitest, ...asked, ...manner], {
    cwd: folder,
    env: { ...process.env, KARVON_TEST_DATABASE_URL: database, NODE_ENV: 'test', VITEST: undefined },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: patience,
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  await once(child, 'close')
  const text = await readFile(report, 'utf8').catch(() => null)
  if (text === null) return { passed: 0, failed: 0, first: null, broken: true, printed }
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(text) as Report
  const broken = testResults.some((file) => file.status === 'failed' && file.assertionResults.length === 0)
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const first = tests.find(({ status }) => status === 'failed')?.fullName ?? null
  return { passed: numPassedTests, failed: numFailedTests, first, broken, printed }
}
