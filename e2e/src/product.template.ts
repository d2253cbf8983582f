import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Names the folder of the template data folders `empty` and `demo`. */
const environmentVariable = 'KARVON_E2E_TEMPLATES'

/** The global setup of Playwright, which requires a default export. Creates a data folder with and one without the demo. */
// eslint-disable-next-line import/no-default-export
export default async function createTemplates(): Promise<() => Promise<void>> {
  const { startTestProduct } = await import('./product.ts')
  const folder = await mkdtemp(join(tmpdir(), 'karvon-e2e-templates-'))
  for (const demo of ['off', 'on']) {
    const product = await startTestProduct({ KARVON_DEMO: demo })
    await product.shutDown()
    await cp(join(product.folder, 'data'), buildTemplatePath(folder, demo), { recursive: true })
    await rm(product.folder, { recursive: true })
  }
  process.env[environmentVariable] = folder
  return () => rm(folder, { recursive: true, force: true })
}

const buildTemplatePath = (folder: string, demo: string) => join(folder, demo === 'on' ? 'demo' : 'empty')

/** The data folder after a first start, so that a test product need not create a cluster. Null during the setup. */
export function findTemplate(demo: string): string | null {
  const folder = process.env[environmentVariable]
  return folder === undefined ? null : buildTemplatePath(folder, demo)
}
