// Runs of the server's tests at other moments, with clocks that differ, and as another account in another time zone.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './install.mjs'

// The paths of libfaketime on Debian and Ubuntu (apt-get install libfaketime).
const libraries = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map(
  (machine) => `/usr/lib/${machine}/faketime/libfaketime.so.1`,
)
const library = libraries.find((path) => existsSync(path))
const missing =
  library === undefined ? 'libfaketime is not installed: apt-get install libfaketime' : undefined

// Tests with a PostgreSQL of their own, which has the machine's clock.
const ownDatabase = [/^src\/platform\/database\/embedded/, /^src\/main/]
// With libfaketime, PostgreSQL's signal handlers can have the machine's time, so that its own timers do not expire.
const databaseTimerFiles = [
  'platform/database/connection.pooled',
  'platform/database/migrate.concurrent',
  'platform/database/migrate.logs',
  'platform/database/pool',
  'platform/database/statement-timeout',
  'app/log-partitions',
  'domains/explore/explore.timeout',
].map((path) => new RegExp(`^src/${path.replaceAll('.', '\\.')}\\.(?:full\\.)?test\\.`))
/** Tests that wait for a timeout of PostgreSQL. Without libfaketime no clock is shifted, and they can run. */
export const databaseTimers = library === undefined ? [] : databaseTimerFiles
/** The text of test files that may compare times with the present. */
const comparesWithPresent = /\bDate\b|\bnow\(\)|interval '|current_date|moment\.ts/

const second = 1000
const day = 24 * 3600 * second
const unprivilegedId = 65_534

/** 31 December, 23:50 in Tashkent, of this year. */
const newYear = () => Date.UTC(new Date().getUTCFullYear(), 11, 31, 18, 50)
const leapDay = () => Date.UTC(2028, 1, 29, 7)

/**
 * A run in which product and database start at another time. The product's clock is `ahead` milliseconds ahead of the
 * database's. One run has both conditions, because neither hides failures of the other.
 */
const atMoment = (name, moment, ahead) => ({
  name: `server, ${name}`,
  folder: 'server',
  except: [...ownDatabase, ...databaseTimers],
  mentions: comparesWithPresent,
  missing,
  env: () => {
    const shift = moment() - Date.now()
    return faketime(shift + ahead, shift)
  },
})

/** The environment of libfaketime for clocks that are so many milliseconds ahead. Durations stay real. */
function faketime(process, database) {
  const offset = (milliseconds) => `${milliseconds < 0 ? '' : '+'}${Math.round(milliseconds / second)}`
  return {
    LD_PRELOAD: library,
    FAKETIME: offset(process),
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    KARVON_TEST_FAKETIME_LIBRARY: library,
    KARVON_TEST_DATABASE_TIME: offset(database),
  }
}

/** The environment of a run in 75 days, for product and database. Without libfaketime it has no effect. */
export const shift75Days = () => faketime(75 * day, 75 * day)

export const clockRunners = [
  atMoment('on 29 February 2028, 3 minutes ahead of the database', leapDay, 180 * second),
  atMoment('on 31 December at 23:50, 3 minutes behind the database', newYear, -180 * second),
]

/** The environment of a process in another time zone and locale, whose account has no home folder. */
export const saoPauloAccount = { TZ: 'America/Sao_Paulo', LANG: 'C', LC_ALL: 'C', HOME: '/tmp' }

/** The account of an ordinary user; undefined if this process has one, or if the account cannot read the checkout. */
export function ordinaryAccount() {
  if (process.getuid?.() !== 0) return undefined
  const account = { uid: unprivilegedId, gid: unprivilegedId }
  const result = spawnSync(process.execPath, ['--version'], { cwd: join(root, 'server'), ...account })
  return result.status === 0 ? account : undefined
}

/** True if a runner runs a test file, by the text of the file. */
export const isRelevant = ({ folder, mentions }, path) =>
  mentions === undefined || mentions.test(readFileSync(join(root, folder, path), 'utf8'))
