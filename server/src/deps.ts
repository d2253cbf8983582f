import { Registry } from 'prom-client'
import { pino, type DestinationStream, type Logger } from 'pino'
import { openOutgoing } from './platform/outgoing-http/outgoing.ts'
import type { Config } from './config.ts'
import { openConnections } from './deps.connections.ts'
import { ClockWatch } from './platform/database/clock.ts'
import { openFileStore } from './platform/files/file-store.ts'
import type { Deps } from './platform/deps.ts'
import { Identities } from './platform/security/identities.ts'
import { createJobTrigger } from './platform/jobs/jobs.ts'
import { PasswordHasher } from './platform/security/passwords.ts'
import { openTracing } from './platform/tracing/tracing.ts'
import { createEncryption } from './platform/security/encryption.ts'
import type { KeyRing } from './secret-key.ts'

/** Opens the log: JSON lines on standard output (or `to`), without tokens. Bodies are never logged. */
export const openLog = (level: string, to?: DestinationStream): Logger =>
  pino({ level, redact: ['headers.authorization', '*.headers.authorization', '*.password', '*.token'] }, to)

/** Opens the dependencies, on a migrated database. Call `close` after the app is closed. */
export async function openDeps(
  config: Config,
  { url, ring, log }: { url: string; ring: KeyRing; log: Logger },
): Promise<Deps & { close(): Promise<void> }> {
  const tracing = await openTracing(config.tracing, log)
  const metrics = new Registry()
  const connections = openConnections(config, { url, log, metrics, tracing })
  const { db, pool } = connections
  const clock = new ClockWatch(pool, log)
  await clock.measure()
  const outgoing = openOutgoing(config.outboundAllow)
  return {
    db,
    pool,
    sessionPool: connections.sessionPool,
    sessionDb: connections.sessionDb,
    readReplica: connections.readReplica,
    config,
    files: openFileStore(config),
    log,
    clock,
    encryption: createEncryption(ring.keys, ring.reload),
    passwords: new PasswordHasher(config.passwordCost),
    identities: new Identities(db, pool, config),
    outgoing,
    jobTrigger: createJobTrigger(),
    metrics,
    tracing,
    close: async () => {
      clock.stop()
      await outgoing.close()
      await connections.close()
      await tracing?.close()
    },
  }
}
