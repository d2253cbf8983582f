import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { tokenHash } from '../../platform/security/identities.ts'
import { usernameKey } from '../../platform/security/usernames.ts'

/** Devices that are remembered of one person. */
const most = 20

/** The hash of a device that the account has signed in from; null for any other, and for none. */
export async function knownDevice(
  pool: pg.Pool,
  username: string,
  device: string | undefined,
): Promise<Buffer | null> {
  if (device === undefined || device === '') return null
  const hash = tokenHash(device)
  const { rowCount } = await pool.query(
    `select 1 from known_devices d join users u on u.id = d.user_id
     where d.device_hash = $1 and lower(u.username) = lower($2)`,
    [hash, usernameKey(username)],
  )
  return rowCount === 1 ? hash : null
}

/** Remembers the device of a sign-in, and answers the secret by which it is known from now on. */
export async function rememberDevice(
  pool: pg.Pool,
  userId: number,
  known: Buffer | null,
  device: string | undefined,
): Promise<string> {
  const secret = known !== null && device !== undefined ? device : randomBytes(32).toString('base64url')
  await pool.query(
    `with kept as (
       insert into known_devices (user_id, device_hash) values ($1, $2)
       on conflict (user_id, device_hash) do update set last_at = now()
     )
     delete from known_devices where user_id = $1 and device_hash <> $2 and device_hash not in (
       select device_hash from known_devices where user_id = $1 order by last_at desc limit ${most - 1})`,
    [userId, tokenHash(secret)],
  )
  return secret
}
