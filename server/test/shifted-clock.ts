import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Binaries } from '../src/platform/database/embedded.binaries.ts'

/** The path of libfaketime, and the database's time as a value of FAKETIME. */
export interface ShiftedClock {
  library: string
  time: string
}

/** Reads KARVON_TEST_FAKETIME_LIBRARY and KARVON_TEST_DATABASE_TIME. Undefined: the clock of the machine. */
export function readDatabaseClock(): ShiftedClock | undefined {
  const { KARVON_TEST_FAKETIME_LIBRARY: library, KARVON_TEST_DATABASE_TIME: time } = process.env
  return library && time ? { library, time } : undefined
}

/** Wraps PostgreSQL in a script that sets another clock, because the launcher passes no environment. */
export function wrapWithClock(binaries: Binaries, { library, time }: ShiftedClock, folder: string): Binaries {
  const postgres = join(folder, 'postgres-shifted')
  const environment = `LD_PRELOAD='${library}' FAKETIME='${time}' FAKETIME_DONT_FAKE_MONOTONIC=1`
  writeFileSync(postgres, `#!/bin/sh\n${environment} exec '${binaries.postgres}' "$@"\n`)
  // PostgreSQL may run as another account.
  chmodSync(postgres, 0o755)
  chmodSync(folder, 0o711)
  return { ...binaries, postgres }
}
