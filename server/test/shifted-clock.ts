import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Binaries } from '../src/platform/database/embedded.binaries.ts'

/** libfaketime of Debian and Ubuntu, and the moment that the database has, as its FAKETIME says it. */
export interface ShiftedClock {
  library: string
  time: string
}

/** What KARVON_TEST_FAKETIME_LIBRARY and KARVON_TEST_DATABASE_TIME say; undefined where the clock is the machine's. */
export function databaseClock(): ShiftedClock | undefined {
  const { KARVON_TEST_FAKETIME_LIBRARY: library, KARVON_TEST_DATABASE_TIME: time } = process.env
  return library && time ? { library, time } : undefined
}

/** The same programs, but PostgreSQL has another clock. The launcher hands no environment on, so a script sets it. */
export function withClock(binaries: Binaries, { library, time }: ShiftedClock, folder: string): Binaries {
  const postgres = join(folder, 'postgres-shifted')
  const environment = `LD_PRELOAD='${library}' FAKETIME='${time}' FAKETIME_DONT_FAKE_MONOTONIC=1`
  writeFileSync(postgres, `#!/bin/sh\n${environment} exec '${binaries.postgres}' "$@"\n`)
  // PostgreSQL may run as another account.
  chmodSync(postgres, 0o755)
  chmodSync(folder, 0o711)
  return { ...binaries, postgres }
}
