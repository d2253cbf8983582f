import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProduct } from '@karvon/testkit/product.ts'
import { findTemplate } from './product.template.ts'

/** A running product. It starts as in production, in its own data folder. */
export interface Product {
  url: string
  folder: string
  admin: { username: string; password: string }
  /** Stops it gracefully and keeps the folder. */
  shutDown(): Promise<void>
  /** Stops it gracefully and removes the folder. */
  stopAndRemove(): Promise<void>
  /** kill -9 of its process group. Keeps the folder. */
  kill(): Promise<void>
}

/**
 * Starts Karvon on a free port with an embedded database, in a new folder or in the folder of an
 * earlier product. Resolves when it listens.
 */
export async function startTestProduct(
  env: Record<string, string> = {},
  earlier?: Product,
): Promise<Product> {
  const folder = earlier?.folder ?? (await mkdtemp(join(tmpdir(), 'karvon-e2e-')))
  const data = join(folder, 'data')
  const template = findTemplate(env['KARVON_DEMO'] ?? 'off')
  if (earlier === undefined && template !== null)
    await cp(template, data, { recursive: true, preserveTimestamps: true })
  const admin = { username: 'admin', password: 'karvon-e2e-admin' }
  const process = await startProduct(data, { KARVON_ADMIN_PASSWORD: admin.password, ...env })
  return {
    url: process.url,
    folder,
    admin,
    shutDown: () => process.stop(),
    async stopAndRemove() {
      await process.stop()
      await rm(folder, { recursive: true, force: true })
    },
    kill: () => process.killGroup(),
  }
}
