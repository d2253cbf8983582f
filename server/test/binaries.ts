import { locateBinaries, findBinaries } from '../src/platform/database/embedded.binaries.ts'
import type { Binaries } from '../src/platform/database/embedded.binaries.ts'

/** PostgreSQL of the version that KARVON_TEST_PG names: 18 (default) or 15. KARVON_TEST_BINARIES names a folder instead. */
export function testBinaries(): Binaries {
  const folder = process.env.KARVON_TEST_BINARIES
  if (folder !== undefined) return locateBinaries(folder)
  const version = process.env.KARVON_TEST_PG ?? '18'
  if (version === '18') return findBinaries()
  if (version === '15') return findBinaries('postgres-15-linux-x64')
  throw new Error(`KARVON_TEST_PG is ${version}: use 18 or 15`)
}
