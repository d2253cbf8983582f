import { encryptedColumns } from './encrypted-columns.ts'
import { createSampleCheck } from './check.sample.ts'
import { findPendingMigrations } from '../platform/database/migrate.ts'
import { openClient } from '../platform/database/connection.ts'
import { runChecks, type Check } from '../platform/database/check.ts'
import { ledgerCheck } from '../domains/ledger/ledger.check.ts'
import { usageCheck } from '../domains/quotas/quotas.check.ts'
import { rowCountsCheck } from '../resources/lists.check.ts'
import { createEncryptionCheck } from '../platform/security/encryption.rotate.ts'
import type { FileStore } from '../platform/files/file-store.ts'
import type { Encryption } from '../platform/security/encryption.ts'
import { currenciesCheck } from '../domains/rollups/rollups.currencies.check.ts'
import { totalsCheck } from '../domains/rollups/rollups.check.ts'
import { parcelsCheck } from '../domains/parcels/parcels.check.ts'
import { segmentsCheck } from '../domains/segments/segments.check.ts'
import { settlementsCheck } from '../domains/settlements/settlements.check.ts'
import { createUploadsCheck } from '../domains/uploads/uploads.check.ts'

export interface Installation {
  url: string
  timeZone: string
  files: FileStore
  encryption: Encryption
}

/**
 * Runs all checks of the stored data on one snapshot, without any change; with `sampleSeconds`, only that of random days of leads,
 * for about so long. Returns lines of text and the number of faults. Throws an Error when the database lacks migrations.
 */
export async function checkInstallation(
  installation: Installation,
  sampleSeconds?: number,
): Promise<{ lines: string[]; faults: number }> {
  const settings = { timezone: installation.timeZone, statementTimeout: 0, applicationName: 'karvon check' }
  const client = await openClient(installation.url, settings)
  try {
    const pendingMigrations = await findPendingMigrations(client)
    const [firstMigration, ...otherMigrations] = pendingMigrations
    if (firstMigration !== undefined) {
      const suffix = otherMigrations.length === 0 ? '' : ` and ${otherMigrations.length} more`
      throw new Error(`the database lacks ${firstMigration}${suffix}: start the product, which applies them`)
    }
    const results = await runChecks(
      client,
      sampleSeconds === undefined ? listChecks(installation) : [createSampleCheck(sampleSeconds)],
    )
    const lines = results.flatMap(([{ name }, { summary, faults }]) => [
      `${faults.length === 0 ? 'good' : 'BAD '}  ${name}: ${summary}`,
      ...faults.map((fault) => `      ${fault}`),
    ])
    return { lines, faults: results.reduce((sum, [, { faults }]) => sum + faults.length, 0) }
  } finally {
    await client.end()
  }
}

const listChecks = ({ files, encryption }: Installation): readonly Check[] => [
  totalsCheck,
  currenciesCheck,
  segmentsCheck,
  rowCountsCheck,
  parcelsCheck,
  ledgerCheck,
  settlementsCheck,
  usageCheck,
  createUploadsCheck(files),
  createEncryptionCheck(encryption, encryptedColumns),
]
