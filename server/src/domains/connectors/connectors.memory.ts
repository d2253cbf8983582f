import type { ConnectorDescription } from '@karvon/contract/connectors/description.ts'
import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { NetworkCredential } from './connectors.account.ts'
import type { ScanMemory } from './connectors.context.ts'

/** A text that differs for another source, another account there, or another description of its network. */
export const buildOrigin = (
  { source_id, account: { login } }: NetworkCredential,
  description: ConnectorDescription,
): string => hash('sha256', JSON.stringify([source_id, login, description]), 'base64url')

/**
 * Reads what former runs stored. An admin can give the credential another source or another login. What is known of the
 * orders of the former account says nothing about those of the new one. With another description, a cursor can mean another
 * page, so a scan that was interrupted begins again. The next runs also read all orders again, because the former description may
 * have read some of them wrongly or not at all.
 */
export function readMemory(
  lastMemory: ScanMemory,
  { source_id, account: { login } }: NetworkCredential,
  origin: string,
): ScanMemory {
  const account = { source_id, login }
  const isOther = lastMemory.account !== undefined && !isDeepStrictEqual(lastMemory.account, account)
  const memory: ScanMemory = isOther ? {} : { ...lastMemory }
  if (memory.origin !== undefined && memory.origin !== origin) {
    memory.has_new_description = true
    delete memory.full_scan
    delete memory.last_full_scan_at
    for (const scan of Object.values(memory.money ?? {})) {
      scan.has_new_description = true
      delete scan.full_scan
      delete scan.last_full_scan_at
    }
  }
  return { ...memory, account, origin }
}
