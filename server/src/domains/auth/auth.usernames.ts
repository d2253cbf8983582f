import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import { trimText } from '@karvon/contract/lib/trim-text.ts'
import type { Db } from '../../platform/database/pool.ts'
import { invalid } from '../../platform/http/errors.ts'
import { isBlank } from '../../platform/http/wellformed.ts'
import { refuseLookAlike } from '../../platform/security/usernames.ts'

/**
 * Reads the username of a new account from a shell or a setting. A sign-in compares it in this form. Errors: 422 for a name with which
 * nobody could sign in, 409 for a look-alike of an existing one.
 */
export async function readNewUsername(trx: Db, text: string, label: string): Promise<string> {
  const username = trimText(text).normalize('NFC')
  if (isBlank(username)) throw invalid([fieldError('username', 'required', { label })])
  await refuseLookAlike(trx, username, { table: 'users', field: 'username', label, id: null })
  return username
}
