import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { BenchResult } from './standalone.ts'

/** The most milliseconds from an input to the next paint, at the 95th percentile. */
const limit = 100
const e2e = path.join(import.meta.dirname, '..', '..', 'e2e')
const playwright = path.join(e2e, '..', 'node_modules', '@playwright', 'test', 'cli.js')

/** The end-to-end tests of `npm test`: their file names have a single part before `spec`. */
const testFiles = String.raw`tests/[^.]+\.spec\.ts$`

/**
 * The time from each click, key and touch of the end-to-end tests to the next paint, which shows the result or that it is under
 * way. The tests run one at a time.
 */
export const interactions = {
  name: 'interactions',
  run(): Promise<BenchResult> {
    const folder = mkdtempSync(path.join(tmpdir(), 'karvon-interactions-'))
    try {
      const file = path.join(folder, 'interactions')
      const args = [
        'test',
        testFiles,
        '--workers=1',
        '--reporter=dot',
        `--output=${path.join(folder, 'out')}`,
      ]
      const { status } = spawnSync(process.execPath, [playwright, ...args], {
        cwd: e2e,
        stdio: 'inherit',
        env: { ...process.env, KARVON_E2E_INTERACTIONS: file },
      })
      if (!existsSync(file)) throw new Error(`The end-to-end tests ended with ${status} and recorded nothing`)
      const durations = readDurations(readFileSync(file, 'utf8')).toSorted((a, b) => a - b)
      const isMet = status === 0 && computePercentile(durations, 0.95) <= limit
      return Promise.resolve({ text: formatSection(durations, isMet), isMet, postgres: 'of the tests' })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

/** The longest duration of each interaction: a click consists of several events. */
export function readDurations(lines: string): number[] {
  const longest = new Map<string, number>()
  for (const line of lines.split('\n').filter(Boolean)) {
    const [interaction = '', duration = ''] = line.split(' ')
    longest.set(interaction, Math.max(longest.get(interaction) ?? 0, Number(duration)))
  }
  return [...longest.values()]
}

/** The smallest value that the share of the sorted values does not exceed. */
export const computePercentile = (sortedValues: readonly number[], share: number): number =>
  sortedValues[Math.ceil(sortedValues.length * share) - 1] ?? Number.NaN

function formatSection(durations: readonly number[], isMet: boolean): string {
  const shares = [0.5, 0.75, 0.95, 0.99, 1]
  return [
    '## interactions',
    '',
    `Milliseconds from each click, key and touch of the end-to-end tests to the next paint, which shows the result or that it is under way. ${durations.length} interactions; the browser leaves out those under 16 ms.`,
    '',
    `| ${shares.map((share) => `p${share * 100}`).join(' | ')} |`,
    `|${'--:|'.repeat(shares.length)}`,
    `| ${shares.map((share) => computePercentile(durations, share)).join(' | ')} |`,
    '',
    `Limit of ${limit} ms at p95: ${isMet ? 'met' : 'missed'}.`,
    '',
  ].join('\n')
}
