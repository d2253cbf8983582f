import { resources } from '@karvon/contract/registry.ts'
import pg from 'pg'
import { sealedSecondFactors } from '../domains/auth/second-factor.store.ts'
import { pendingMigrations } from '../platform/database/migrate.ts'
import { connectionSettings } from '../platform/database/pool.ts'
import { runChecks, type Check } from '../platform/database/check.ts'
import { usageCheck } from '../domains/quotas/quotas.check.ts'
import { countsCheck } from '../resources/lists.check.ts'
import { sealedOf, sealsCheck } from '../platform/security/reseal.ts'
import type { Seal } from '../platform/security/seal.ts'
import { totalsCheck } from '../domains/rollups/rollups.check.ts'
import { parcelsCheck } from '../domains/parcels/parcels.check.ts'
import { uploadsCheck } from '../domains/uploads/uploads.check.ts'

/** What an installation is made of. */
export interface Installation {
  url: string
  timeZone: string
  dataFolder: string
  seal: Seal
}

/**
 * Looks at everything that must agree, as of one moment and without changing anything, and answers it as lines with
 * how many faults there are. Throws an Error where the database is another version's.
 */
export async function checkInstallation(of: Installation): Promise<{ lines: string[]; faults: number }> {
  const settings = { timezone: of.timeZone, statementTimeout: 0, applicationName: 'karvon check' }
  const client = new pg.Client(connectionSettings(of.url, settings))
  client.on('error', () => {})
  await client.connect()
  try {
    const pending = await pendingMigrations(client)
    if (pending.length > 0)
      throw new Error(`the database lacks ${pending.join(', ')}: start the product, which applies them`)
    const found = await runChecks(client, checksOf(of))
    const lines = found.flatMap(([{ name }, { said, faults }]) => [
      `${faults.length === 0 ? 'good' : 'BAD '}  ${name}: ${said}`,
      ...faults.map((fault) => `      ${fault}`),
    ])
    return { lines, faults: found.reduce((sum, [, { faults }]) => sum + faults.length, 0) }
  } finally {
    await client.end()
  }
}

const checksOf = ({ dataFolder, seal }: Installation): readonly Check[] => [
  totalsCheck,
  countsCheck,
  parcelsCheck,
  usageCheck,
  uploadsCheck(dataFolder),
  sealsCheck(seal, [...sealedOf(resources), sealedSecondFactors]),
]
