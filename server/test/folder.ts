import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates a temporary folder with mode 0700. Remove it after the test. */
export function createTemporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'karvon-test-'))
}
