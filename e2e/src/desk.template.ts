import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where the data folders lie that desks begin with: `empty` and `demo`. */
const variable = 'KARVON_E2E_TEMPLATES'

/** Playwright's global setup, which it takes as a default export: starts a desk once with and once without the demo, and keeps their data folders. */
// eslint-disable-next-line import/no-default-export
export default async function makeTemplates(): Promise<() => Promise<void>> {
  const { startDesk } = await import('./desk.ts')
  const folder = await mkdtemp(join(tmpdir(), 'karvon-e2e-templates-'))
  for (const demo of ['off', 'on']) {
    const desk = await startDesk({ KARVON_DEMO: demo })
    await desk.end()
    await cp(join(desk.folder, 'data'), templateIn(folder, demo), { recursive: true })
    await rm(desk.folder, { recursive: true })
  }
  process.env[variable] = folder
  return () => rm(folder, { recursive: true, force: true })
}

const templateIn = (folder: string, demo: string) => join(folder, demo === 'on' ? 'demo' : 'empty')

/** A data folder as a first start leaves it, so that not each desk makes its database cluster; null before there is one. */
export function templateOf(demo: string): string | null {
  const folder = process.env[variable]
  return folder === undefined ? null : templateIn(folder, demo)
}
