import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import type { Db } from '../../platform/database/pool.ts'
import { hashToken } from '../../platform/security/identities.ts'

/** Maximum number of stored devices per person. */
const maxDevices = 20

/** The hash of a device that the person signed in from before; null for any other device and without one. */
export async function findKnownDevice(
  pool: pg.Pool,
  userId: number | null,
  device: string | undefined,
): Promise<Buffer | null> {
  if (device === undefined || device === '') return null
  const hash = hashToken(device)
  // Also without a person, so that the answer for an unknown name takes the same time.
  const { rowCount } = await pool.query(
    'select 1 from known_devices where device_hash = $1 and user_id = $2',
    [hash, userId],
  )
  return rowCount === 1 ? hash : null
}

/** The hashes of the devices that a person signed in from. */
export async function findDevices(db: Db, userId: number): Promise<Buffer[]> {
  const devices = await db
    .selectFrom('known_devices')
    .select('device_hash')
    .where('user_id', '=', userId)
    .execute()
  return devices.map(({ device_hash }) => device_hash)
}

/** Stores the device of a sign-in, and answers the secret that identifies the device from now on. */
export async function rememberDevice(
  pool: pg.Pool,
  { userId, knownHash, device }: { userId: number; knownHash: Buffer | null; device: string | undefined },
): Promise<string> {
  const secret = knownHash !== null && device !== undefined ? device : randomBytes(32).toString('base64url')
  await pool.query(
    `with stored as (
       insert into known_devices (user_id, device_hash) values ($1, $2)
       on conflict (user_id, device_hash) do update set last_at = now()
     )
     delete from known_devices where user_id = $1 and device_hash <> $2 and device_hash not in (
       select device_hash from known_devices where user_id = $1 order by last_at desc limit ${maxDevices - 1})`,
    [userId, hashToken(secret)],
  )
  return secret
}
