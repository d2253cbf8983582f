import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { launchPersistentChromium } from '../../e2e/src/chromium.ts'
import { computeSpread } from './figures.ts'
import { installPeer, peerFolder } from './peer.install.ts'
import type { BenchProduct, Session } from './product.ts'

const run = promisify(execFile)

/** The least score in each category, out of 100. */
const leastScore = 98
const rounds = 3
const categories = ['performance', 'accessibility', 'best practices'] as const
const pages = [
  { path: '/login', hasSession: false },
  { path: '/parcels', hasSession: true },
  { path: '/statistics', hasSession: true },
  { path: '/leads', hasSession: true },
]

interface Audit {
  /** In the order of the categories. */
  readonly scores: readonly number[]
  /** The audits that lost points. */
  readonly lost: readonly string[]
}

/** The scores of Lighthouse with its own simulated phone. */
export const lighthouse = {
  name: 'lighthouse',
  async run({ app, session }: BenchProduct): Promise<{ text: string; isMet: boolean }> {
    const version = installPeer('lighthouse', 'lighthouse')
    const rows: { path: string; scores: number[]; lost: readonly string[] }[] = []
    for (const { path: pathname, hasSession } of pages) {
      const audits: Audit[] = []
      for (let round = 0; round < rounds; round += 1)
        audits.push(await auditPage(app.url, pathname, hasSession ? session : undefined))
      const scores = categories.map(
        (_, index) => computeSpread(audits.map((audit) => audit.scores[index] ?? 0)).median,
      )
      rows.push({ path: pathname, scores, lost: audits.at(-1)?.lost ?? [] })
    }
    const isMet = rows.every(({ scores }) => scores.every((score) => score >= leastScore))
    return { text: formatSection(version, rows, isMet), isMet }
  },
}

/** Audits a page in a new profile of the browser, which has no cache. */
async function auditPage(origin: string, pathname: string, session: Session | undefined): Promise<Audit> {
  const profile = mkdtempSync(path.join(tmpdir(), 'karvon-lighthouse-'))
  const context = await launchPersistentChromium(profile, ['--remote-debugging-port=0'])
  try {
    const page = context.pages()[0] ?? (await context.newPage())
    // This answer of the origin loads no script that would be in the cache.
    await page.goto(`${origin}/healthz`)
    if (session)
      await page.evaluate((record) => localStorage.setItem('emu_auth', record), JSON.stringify(session))
    const [port = ''] = readFileSync(path.join(profile, 'DevToolsActivePort'), 'utf8').split('\n')
    const program = path.join(peerFolder('lighthouse'), 'src', 'main.mjs')
    const { stdout } = await run(process.execPath, [program, port, origin + pathname])
    return JSON.parse(stdout) as Audit
  } finally {
    await context.close()
    rmSync(profile, { recursive: true, force: true })
  }
}

function formatSection(
  version: string,
  rows: readonly { path: string; scores: readonly number[]; lost: readonly string[] }[],
  isMet: boolean,
): string {
  return [
    '## lighthouse',
    '',
    `Scores of Lighthouse ${version} with its simulated phone, median of ${rounds} runs. The last column names the audits below 90.`,
    '',
    `| page | ${categories.join(' | ')} | audits |`,
    '|---|--:|--:|--:|---|',
    ...rows.map(
      ({ path: pathname, scores, lost }) => `| ${pathname} | ${scores.join(' | ')} | ${lost.join(', ')} |`,
    ),
    '',
    `Least score of ${leastScore}: ${isMet ? 'met' : 'missed'}.`,
    '',
  ].join('\n')
}
