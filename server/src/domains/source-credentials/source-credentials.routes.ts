import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import { sourceCredentials } from '@karvon/contract/source-credentials/source-credentials.ts'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../platform/database/pool.ts'
import { crud } from '../../resources/crud.ts'
import type { Deps } from '../../platform/deps.ts'
import { invalid } from '../../platform/http/errors.ts'
import { findCurrentHosts, isTokenIssued } from '../connectors/connectors.hosts.ts'
import { databaseNow, dropToken, readStoredSecrets, storeSecretHosts } from './source-credentials.queries.ts'
import { healthSql } from '../syncs/syncs.health.queries.ts'
import { clearBalance } from '../syncs/syncs.queries.ts'

export function sourceCredentialsRoutes(app: FastifyInstance, deps: Deps): void {
  crud(app, deps, {
    resource: sourceCredentials,
    extraColumns: { health: healthSql('source_credential_id') },
    columnsForSecrets: (changedSecrets) =>
      'token' in changedSecrets ? { token_updated_at: databaseNow } : {},
    afterWrite: async ({ trx, body, oldRow, id }) => {
      await saveSecretHosts(trx, { id, oldRow, hosts: await findCurrentHosts(trx, id) })
      if (oldRow !== null) await forgetFormerAccount(trx, { id, body, oldRow })
      return undefined
    },
  })
}

/**
 * Forgets what is of the former account, if a change gives the credential another source or another login: the balance that was read,
 * and the token that the network issued to the former login.
 */
async function forgetFormerAccount(
  trx: Db,
  {
    id,
    body,
    oldRow,
  }: { id: number; body: { source_id?: unknown; login?: unknown }; oldRow: Record<string, unknown> },
): Promise<void> {
  const hasOther = (key: 'source_id' | 'login') => body[key] !== undefined && body[key] !== oldRow[key]
  if (hasOther('source_id') || hasOther('login')) await clearBalance(trx, id)
  const { token } = await readStoredSecrets(trx, id)
  if (hasOther('login') && token === oldRow.token && (await isTokenIssued(trx, id))) await dropToken(trx, id)
}

const secretKeys = ['pass', 'api_key', 'token'] as const

/**
 * Stores the hosts that may receive the secrets after secrets are typed. For new hosts, every secret must be typed
 * again: the new hosts must not receive a stored secret. Errors: 422 for the missing secrets.
 */
async function saveSecretHosts(
  trx: Db,
  { id, oldRow, hosts }: { id: number; oldRow: Record<string, unknown> | null; hosts: string[] | null },
): Promise<void> {
  const row = await readStoredSecrets(trx, id)
  const storedSecrets = secretKeys.filter((key) => row[key] !== null)
  const unchangedSecrets = storedSecrets.filter((key) => row[key] === oldRow?.[key])
  if (unchangedSecrets.length === storedSecrets.length) return
  const before = row.secret_hosts
  if (before !== null && hosts?.every((host) => before.includes(host)) === true) return
  // The token may be missing: the network issues a new one at the next sign-in.
  const missingSecrets = before === null ? [] : unchangedSecrets.filter((key) => key !== 'token')
  if (missingSecrets.length > 0) {
    // The new hosts are not known. The stored ones stay.
    if (hosts === null) return
    const params = { hosts: before?.join(', ') ?? '' }
    throw invalid(missingSecrets.map((field) => fieldError(field, 'secret_for_other_hosts', params)))
  }
  const dropsToken = before !== null && unchangedSecrets.includes('token')
  await storeSecretHosts(trx, id, { hosts, dropsToken })
}
