import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import { normalizeApostrophes, otherApostrophes } from '@karvon/contract/lib/apostrophes.ts'
import { trimText } from '@karvon/contract/lib/trim-text.ts'
import { sql, type RawBuilder } from 'kysely'
import { lockGroups } from '../database/lock-keys.ts'
import type { Db } from '../database/pool.ts'
import { AppError, invalid } from '../http/errors.ts'

/** The form in which usernames are compared. NFKC makes a space of the apostrophe `´`, which no username has. */
export const normalizeUsername = (username: string): string =>
  trimText(username.replaceAll('´', "'").normalize('NFKC')).toLowerCase().normalize('NFKC')

/** The form in which the usernames of sign-ins are counted: a phone writes `o’ktam` for the typed `o'ktam`. */
export const normalizeSignInName = (username: string): string =>
  normalizeApostrophes(normalizeUsername(username))

/** SQL: a name with one kind of apostrophe. */
export const foldApostrophes = (name: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`translate(${name}, ${otherApostrophes}, ${"'".repeat(otherApostrophes.length)})`

/** Scripts whose letters look like those of others. `other`: a letter of another script; an apostrophe and an accent have none. */
const scripts = ['Latin', 'Cyrillic', 'Greek', 'Armenian'].map((script) => ({
  own: new RegExp(String.raw`\p{Script=${script}}`, 'u'),
  other: new RegExp(String.raw`[^\p{Script=${script}}\p{Script=Common}\p{Script=Inherited}]`, 'u'),
}))

/** Control characters, characters without a shape, and letters that become another letter in upper or lower case. */
const lookalikeCharacter = /[\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800ıİſ]/u

/**
 * Refuses a name that can look like another one: a word of two scripts, invisible characters, compatibility forms of
 * letters, and a look-alike of an existing name, also one with other apostrophes. Until the end of the transaction no other one
 * checks a name of the table. Errors: 422 and 409 with the field.
 */
export async function refuseLookAlike(
  trx: Db,
  name: string,
  target: { table: 'users' | 'roles'; field: 'username' | 'code'; label: string; id: number | null },
): Promise<void> {
  const { table, field, label, id } = target
  const words = name.split(/[^\p{L}\p{M}]+/u)
  const isMixed = words.some((word) => scripts.some(({ own, other }) => own.test(word) && other.test(word)))
  if (isMixed) throw invalid([fieldError(field, 'mixed_alphabets', { label })])
  if (name !== name.normalize('NFKC') || lookalikeCharacter.test(name))
    throw invalid([fieldError(field, 'lookalike_letters', { label })])
  await sql`select pg_advisory_xact_lock(${lockGroups.names}::integer, hashtext(${table}))`.execute(trx)
  const fold = (value: RawBuilder<unknown>) => foldApostrophes(sql`folded_name(${value})`)
  const { rows } = await sql`select 1 from ${sql.table(table)}
    where ${fold(sql.ref(field))} = ${fold(sql`${name}::text`)}
      and lower(${sql.ref(field)}) <> lower(${name}) and id is distinct from ${id}::bigint limit 1`.execute(
    trx,
  )
  if (rows.length === 0) return
  throw new AppError('lookalike_exists', { label }, { fields: [field] })
}
