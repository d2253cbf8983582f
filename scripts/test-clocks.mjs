// Runs of the server's tests at other moments, with clocks that differ, and as another account in another time zone.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './install.mjs'

// Where Debian and Ubuntu install libfaketime (apt-get install libfaketime).
const libraries = ['x86_64-linux-gnu', 'aarch64-linux-gnu'].map(
  (machine) => `/usr/lib/${machine}/faketime/libfaketime.so.1`,
)
const library = libraries.find((path) => existsSync(path))
const missing =
  library === undefined ? 'there is no libfaketime here: apt-get install libfaketime' : undefined

// PostgreSQL of its own, which has the machine's clock.
const ownDatabase = [/^src\/platform\/database\/embedded/, /^src\/main/]
// Where libfaketime sets PostgreSQL forward, a signal handler has the machine's time: its own timers do not run out.
export const databaseTimers = [/^src\/platform\/database\/(?:pool|statement-timeout)\.test/]
/** Test files that may compare something with the present. */
const comparesWithPresent = /\bDate\b|\bnow\(\)|interval '|current_date|moment\.ts/

const second = 1000
const day = 24 * 3600 * second
const nobody = 65_534

/** 31 December, 23:50 in Tashkent, of this year. */
const newYear = () => Date.UTC(new Date().getUTCFullYear(), 11, 31, 18, 50)
const leapDay = () => Date.UTC(2028, 1, 29, 7)

/**
 * Product and database at another moment, from which time goes on, and the product's clock so many milliseconds ahead
 * of the database's. Two conditions in one run: neither hides what the other breaks.
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

/** libfaketime's environment, for clocks so many milliseconds ahead; durations stay real. */
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

/** The environment of a run in 75 days, for product and database alike. Without libfaketime it changes nothing. */
export const in75Days = () => faketime(75 * day, 75 * day)

export const clockRunners = [
  atMoment('on 29 February 2028, 3 minutes ahead of the database', leapDay, 180 * second),
  atMoment('on 31 December at 23:50, 3 minutes behind the database', newYear, -180 * second),
]

/** The environment of a process in another time zone and locale, whose account has no home folder. */
export const inSaoPaulo = { TZ: 'America/Sao_Paulo', LANG: 'C', LC_ALL: 'C', HOME: '/tmp' }

/** An ordinary user's account; undefined, for this process's own, where it is one or cannot read the checkout. */
export function ordinaryAccount() {
  if (process.getuid?.() !== 0) return undefined
  const account = { uid: nobody, gid: nobody }
  const found = spawnSync(process.execPath, ['--version'], { cwd: join(root, 'server'), ...account })
  return found.status === 0 ? account : undefined
}

/** Whether a test file's text is of interest to a runner. */
export const isMentioned = ({ folder, mentions }, path) =>
  mentions === undefined || mentions.test(readFileSync(join(root, folder, path), 'utf8'))
