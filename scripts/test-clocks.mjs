// Runs of the server's tests at other moments, with clocks that differ, and as another account.
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
const ownDatabase = [/^src\/db\/embedded/, /^src\/main/]
// Where libfaketime sets PostgreSQL forward, a signal handler has the machine's time: its own timers do not run out.
const databaseTimers = [/^src\/db\/pool\.test/]
/** Test files that may compare something with the present. */
const comparesWithPresent = /\bDate\b|\bnow\(\)|interval '|current_date|moment\.ts/
/** Test files with any time. */
const hasTimes = new RegExp(`${comparesWithPresent.source}|_(at|until)\\b|20\\d\\d-[01]\\d-`)

const second = 1000
const day = 24 * 3600 * second
const nobody = 65_534

/** 31 December, 23:50 in Tashkent, of this year. */
const newYear = () => Date.UTC(new Date().getUTCFullYear(), 11, 31, 18, 50)
const leapDay = () => Date.UTC(2028, 1, 29, 7)

/** Product and database at another moment, from which time goes on. */
const atMoment = (name, moment, mentions) => ({
  name: `server, ${name}`,
  folder: 'server',
  except: [...ownDatabase, ...databaseTimers],
  mentions,
  missing,
  env: () => faketime(moment() - Date.now(), moment() - Date.now()),
})

/** The product's clock is off the database's. */
const processOff = (name, milliseconds) => ({
  name: `server, process ${name}`,
  folder: 'server',
  except: ownDatabase,
  mentions: comparesWithPresent,
  missing,
  env: () => faketime(milliseconds, 0),
})

/** libfaketime's environment, for clocks so many milliseconds ahead; durations stay real. */
function faketime(process, database) {
  const offset = (milliseconds) => `${milliseconds < 0 ? '' : '+'}${Math.round(milliseconds / second)}`
  return {
    LD_PRELOAD: library,
    FAKETIME: offset(process),
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    KARVON_TEST_FAKETIME_LIBRARY: library,
    KARVON_TEST_DATABASE_TIME: database === 0 ? '' : offset(database),
  }
}

export const clockRunners = [
  atMoment('in 75 days', () => Date.now() + 75 * day, hasTimes),
  atMoment('on 29 February 2028', leapDay, comparesWithPresent),
  atMoment('on 31 December at 23:50', newYear, comparesWithPresent),
  processOff('3 minutes ahead of the database', 180 * second),
  processOff('3 minutes behind the database', -180 * second),
  {
    name: 'server, as an ordinary user in São Paulo',
    folder: 'server',
    except: ownDatabase,
    mentions: comparesWithPresent,
    account: ordinaryAccount(),
    missing: unreachable(),
    env: () => ({ TZ: 'America/Sao_Paulo', LANG: 'C', LC_ALL: 'C', HOME: '/tmp' }),
  },
]

/** Whose account the run is; undefined for this process's own. */
function ordinaryAccount() {
  return process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : undefined
}

function unreachable() {
  const account = ordinaryAccount()
  if (account === undefined) return undefined
  const found = spawnSync(process.execPath, ['--version'], { cwd: join(root, 'server'), ...account })
  return found.status === 0 ? undefined : `other accounts cannot read ${root}`
}

/** Whether a test file's text is of interest to a runner. */
export const isMentioned = ({ folder, mentions }, path) =>
  mentions === undefined || mentions.test(readFileSync(join(root, folder, path), 'utf8'))
