import type { Person, Profile } from '@karvon/contract/auth/auth.ts'
import { normalizeApostrophes } from '@karvon/contract/lib/apostrophes.ts'
import type { PersonLanguage } from '@karvon/contract/lib/language.ts'
import { sql } from 'kysely'
import { nextUpdatedAt } from '../../platform/database/conflict.ts'
import type { Db } from '../../platform/database/pool.ts'
import { AppError } from '../../platform/http/errors.ts'
import type { Identity } from '../../platform/http/guard.ts'
import { foldApostrophes } from '../../platform/security/usernames.ts'
import { countRecoveryCodes } from './second-factor.queries.ts'

const selectPeople = (db: Db) =>
  db
    .selectFrom('users as u')
    .innerJoin('roles as r', 'r.id', 'u.role_id')
    .select(['u.id', 'u.username', 'u.email', 'u.name', 'r.code as role', 'u.extra_id', 'u.is_active'])
    .select(['u.created_at', 'u.updated_at', 'u.password_hash', 'u.second_factor', 'u.language'])

/** The row of a person, with the password hash and the state of the second factor. */
export type PersonRow = Awaited<ReturnType<ReturnType<typeof selectPeople>['executeTakeFirstOrThrow']>>

/**
 * Finds a person by username. Upper and lower case are equal, and so are the kinds of apostrophes, unless another username has the
 * written one.
 */
export const findPersonByUsername = (db: Db, username: string): Promise<PersonRow | undefined> => {
  const column = sql<string>`lower(u.username)`
  const parameter = sql<string>`lower(${username})`
  const hasApostrophe = normalizeApostrophes(username).includes("'")
  // Without an apostrophe the index of usernames is used.
  const condition = hasApostrophe
    ? sql<boolean>`${foldApostrophes(column)} = ${foldApostrophes(parameter)}`
    : sql<boolean>`${column} = ${parameter}`
  return selectPeople(db)
    .where(condition)
    .orderBy(sql`${column} = ${parameter}`, 'desc')
    .orderBy('u.id')
    .limit(1)
    .executeTakeFirst()
}

export async function getPersonById(db: Db, id: number): Promise<PersonRow> {
  const row = await selectPeople(db).where('u.id', '=', id).executeTakeFirst()
  if (row === undefined) throw new AppError('unauthenticated')
  return row
}

/** The person for the wire, with both spellings of the fields that the web accepts. */
export function toPerson(row: PersonRow): Person {
  const { password_hash: _, second_factor: __, language: ___, ...person } = row
  return { ...person, isActive: person.is_active, createdAt: person.created_at, updatedAt: person.updated_at }
}

/** A person's own profile. */
export async function readProfile(db: Db, { userId, isSecondFactorRequired }: Identity): Promise<Profile> {
  const row = await getPersonById(db, userId)
  const { second_factor, language } = row
  return {
    ...toPerson(row),
    language,
    second_factor,
    second_factor_required: isSecondFactorRequired,
    recovery_codes_left: second_factor ? await countRecoveryCodes(db, userId) : 0,
  }
}

interface ProfileValues {
  name?: string
  email?: string
  language?: PersonLanguage | null
  password_hash?: string
}

export async function updateProfile(trx: Db, userId: number, values: ProfileValues): Promise<void> {
  await trx
    .updateTable('users')
    .set({ ...values, updated_at: nextUpdatedAt })
    .where('id', '=', userId)
    .execute()
}

/** Locks the row of a person; false if it changed since `expectedUpdatedAt`. */
export async function lockCurrentProfile(
  trx: Db,
  userId: number,
  expectedUpdatedAt: string | null,
): Promise<boolean> {
  const row = await trx
    .selectFrom('users')
    .select(sql<boolean>`coalesce(updated_at = ${expectedUpdatedAt}::timestamptz, true)`.as('isCurrent'))
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row?.isCurrent !== false
}
