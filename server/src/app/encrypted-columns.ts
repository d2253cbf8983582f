import { resources } from '@karvon/contract/registry.ts'
import { encryptedSecondFactors } from '../domains/auth/second-factor.queries.ts'
import { encryptedRegistryPayments } from '../domains/payouts/payouts.registries.queries.ts'
import { encryptedWithdrawals } from '../domains/payouts/payouts.withdrawals.queries.ts'
import { listEncryptedColumns } from '../platform/security/encryption.rotate.ts'

/** All encrypted columns of the database, for their check and for the rotation of the key. */
export const encryptedColumns = [
  ...listEncryptedColumns(resources),
  encryptedSecondFactors,
  encryptedWithdrawals,
  encryptedRegistryPayments,
]
