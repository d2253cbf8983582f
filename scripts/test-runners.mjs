// The runs of `npm test`, `npm run test:full` and `npm run test:release`, in order. A run of the same tests under other
// conditions is one entry.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './install.mjs'
import {
  clockRunners,
  databaseTimers,
  shift75Days,
  saoPauloAccount,
  ordinaryAccount,
} from './test-clocks.mjs'

// Tests whose results depend neither on the version of PostgreSQL nor on the date: start and end of processes, commands, calls of
// HTTP in both directions, addresses, workbooks, traces, files in a bucket, pauses of outside systems, and waits of jobs.
const sameOnEachVersion = [
  /^src\/platform\/database\/embedded/,
  /^src\/(?:cli|drain|main)/,
  /^src\/app\/(?:access\.paths|address-limits|canary|data-folder|files\.s3|leaks|takeover|url-clients|url-fields)\./,
  /^src\/app\/(?:networks\.)?pauses\./,
  /^src\/app\/networks\.late\./,
  /^src\/demo\/demo\.networks\./,
  /^src\/platform\/jobs\/jobs\.wait\./,
  /^src\/platform\/(?:limits|outgoing-http|spreadsheets|tracing)\//,
  /^src\/platform\/http\/(?!idempotency)/,
]

// Tests of kills and memory, and tests that start processes or databases under conditions of their own.
const ownConditions = [
  /\.(?:kill|memory)\.test/,
  /^src\/(?:run-as|resources\/recipes)/,
  /^src\/app\/metrics\.prometheus/,
  /^src\/backup\/backup\.pgbackrest/,
  /^src\/platform\/database\/(?:connection\.(?:hosts|pgbouncer|tls)|embedded|pool\.monitor)/,
  /^src\/platform\/http\/read-source/,
]

// Tests of functions that a pooler could break: transactions, locks, queues, jobs and concurrent changes. A test that holds
// a session of its own is not included. Tests of the calls that a standby answers. Tests with most statements of the product.
const databaseTests = [
  /^src\/app\/access\.scope\.test/,
  /^src\/app\/metrics\.jobs\.test/,
  /^src\/domains\/explore\/explore\.exact\.test/,
  /^src\/domains\/leads\/leads\.(?:concurrent\.full|ingest|list|remap)\.test/,
  /^src\/domains\/ledger\/ledger\.(?:calls|leads)\.test/,
  /^src\/domains\/notices\/notices\.test/,
  /^src\/domains\/outgoing-postbacks\/outgoing-postbacks\.test/,
  /^src\/domains\/parcels\/parcels\.(?:late-leads|search)\.test/,
  /^src\/domains\/payouts\/payouts\.statements\.test/,
  /^src\/domains\/postbacks\/postbacks\.test/,
  /^src\/domains\/reports\/reports(?:\.concurrent|\.fold)?\.test/,
  /^src\/domains\/sessions\/sessions\.test/,
  /^src\/domains\/settlements\/settlements\.import\.test/,
  /^src\/domains\/uploads\/uploads\.queue\.test/,
  /^src\/domains\/users\/usernames\.race\.full\.test/,
  /^src\/platform\/database\/tables/,
  /^src\/platform\/exports\/exports\.test/,
  /^src\/resources\/crud(?:\.list)?\.test/,
]

/** The end-to-end tests check every theme, width and variant. Tests of kills and models repeat more often. */
const fullExtent = { KARVON_TEST_EXTENT: 'full' }

/**
 * PostgreSQL 15, a later day, another time zone and an ordinary user. One run has several conditions, because all of them concern
 * every file and none hides failures of another.
 */
const otherConditions = {
  folder: 'server',
  except: [...sameOnEachVersion, ...databaseTimers],
  account: ordinaryAccount(),
  env: () => ({ KARVON_TEST_PG: '15', ...shift75Days(), ...saoPauloAccount }),
  needs: 'postgres-15-linux-x64',
}

/** The run with the tests of every speed, but for those that have conditions of their own. */
const includeAllTests = (runner) => ({
  ...runner,
  files: 'all',
  except: [...runner.except, ...ownConditions],
})

/**
 * - `name`: the title of the run and, with dashes, the name of its report.
 * - `folder`: the workspace. Its configuration file names the test runner.
 * - `files`: the speed of the test files (`quick` by default) or `all`; see test-files.mjs.
 * - `only`: patterns of files to include. `except`: patterns of files to exclude.
 * - `env`: environment variables, or a function that returns them when the run begins.
 * - `needs`: a package. Without it, the run is left out.
 * - `mentions`: a pattern that the text of a file must match.
 * - `args`: further arguments of the test runner.
 * - `account`: the account of the run.
 * - `runsBeside`: the tests need few processor seconds, so they run beside the others.
 * - `missing`: the reason why the run is impossible on this machine. Its files then count as skipped.
 */
export const runners = {
  quick: [
    { name: 'server', folder: 'server' },
    { name: 'e2e', folder: 'e2e' },
    { name: 'scripts', folder: 'scripts', runsBeside: true },
    { name: 'web', folder: 'web', runsBeside: true },
    { name: 'contract', folder: 'contract', runsBeside: true },
    { name: 'bench', folder: 'bench', runsBeside: true },
    { name: 'stress', folder: 'stress', runsBeside: true },
  ],
  full: [
    { name: 'server, full', folder: 'server', files: 'full' },
    {
      name: 'server on PostgreSQL 15, in 75 days, as an ordinary user in São Paulo, behind a pooler, with a read replica',
      ...otherConditions,
      files: 'all',
      only: databaseTests,
      env: () => ({ ...otherConditions.env(), KARVON_TEST_PGBOUNCER: '1', KARVON_TEST_REPLICA: '1' }),
    },
    { name: 'scripts, full', folder: 'scripts', files: 'full', runsBeside: true },
    { name: 'stress, short', folder: 'stress', files: 'full', runsBeside: true },
    { name: 'e2e, full', folder: 'e2e', files: 'full' },
  ],
  release: [
    { name: 'server, recipes and memory', folder: 'server', files: 'release' },
    { name: 'scripts, gates of the check', folder: 'scripts', files: 'release', runsBeside: true },
    { name: 'stress, short forms of the other parts', folder: 'stress', files: 'release' },
    includeAllTests({
      name: 'server on PostgreSQL 15, in 75 days, as an ordinary user in São Paulo: all tests',
      ...otherConditions,
    }),
    ...clockRunners.map(includeAllTests),
    {
      name: 'server, kills and models at full length',
      folder: 'server',
      files: 'all',
      mentions: /\bselectCount\b/,
      env: fullExtent,
    },
    {
      name: 'e2e, every appearance and variant',
      folder: 'e2e',
      files: 'all',
      mentions: /\bvariants\b/,
      args: ['--grep', '@variants'],
      env: fullExtent,
    },
  ],
}

/** The runs of a speed that are possible on this machine. */
export const listRunners = (speed) =>
  runners[speed].filter(({ needs }) => needs === undefined || existsSync(join(root, 'node_modules', needs)))
