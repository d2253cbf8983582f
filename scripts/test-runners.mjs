// What `npm test` and `npm run test:full` run, in order. A further run of the same tests under other conditions is one entry.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './install.mjs'
import { clockRunners, databaseTimers, in75Days, inSaoPaulo, ordinaryAccount } from './test-clocks.mjs'

// What starts or kills processes says the same on either version; so do the spellings of addresses.
const sameOnEachVersion = [/^src\/platform\/database\/embedded/, /^src\/main/, /^src\/app\/access\.paths\./]

// Transactions, locks, queues, jobs and concurrent changes: what a pooler could break. A test that holds a session itself
// is not among them.
const behindPooler = [
  /^src\/app\.exports\.test/,
  /^src\/app\/metrics\.jobs\.test/,
  /^src\/domains\/auth\/auth\.test/,
  /^src\/domains\/leads\/leads\.(?:concurrent|ingest|remap)\.test/,
  /^src\/domains\/notices\/notices\.test/,
  /^src\/domains\/outgoing-postbacks\/outgoing-postbacks\.test/,
  /^src\/domains\/parcels\/parcels\.late-leads\.test/,
  /^src\/domains\/postbacks\/postbacks\.test/,
  /^src\/domains\/reports\/reports\.(?:concurrent|fold)\.test/,
  /^src\/domains\/sessions\/sessions\.test/,
  /^src\/domains\/uploads\/uploads\.queue\.test/,
  /^src\/domains\/users\/usernames\.race\.test/,
  /^src\/platform\/http\/idempotency\.test/,
  /^src\/resources\/crud\.test/,
]

/** End-to-end tests look at each theme, width and variant. */
const everyLook = { KARVON_E2E_EXTENT: 'full' }

/**
 * `name`: the title of the run and, with dashes, the file of its report.
 * `folder`: the workspace, whose test runner follows from its configuration file.
 * `files`: `quick` (default) the test files of `npm test`, `full` the others, by the rule of test-files.mjs.
 * `only`: patterns of the files to take. `except`: patterns of files to leave out. `env`: variables of the environment, or what
 * makes them when the run begins. `needs`: a package without which it is left out. `mentions`: what a file's text must
 * match. `args`: further arguments of the test runner. `account`: whose the run is. `missing`: why it cannot run here; its files then count as skipped.
 */
export const runners = {
  quick: [
    { name: 'server', folder: 'server' },
    { name: 'e2e', folder: 'e2e' },
    { name: 'scripts', folder: 'scripts' },
    { name: 'web', folder: 'web' },
    { name: 'contract', folder: 'contract' },
    { name: 'bench', folder: 'bench' },
    { name: 'stress', folder: 'stress' },
  ],
  full: [
    { name: 'server, full', folder: 'server', files: 'full' },
    {
      // Several conditions in one run: every file is of interest to each, and none hides what another breaks.
      name: 'server on PostgreSQL 15, in 75 days, as an ordinary user in São Paulo',
      folder: 'server',
      except: [...sameOnEachVersion, ...databaseTimers],
      account: ordinaryAccount(),
      env: () => ({ KARVON_TEST_PG: '15', ...in75Days(), ...inSaoPaulo }),
      needs: 'postgres-15-linux-x64',
    },
    ...clockRunners,
    {
      name: 'server behind a pooler in transaction mode',
      folder: 'server',
      only: behindPooler,
      env: { KARVON_TEST_PGBOUNCER: '1' },
    },
    { name: 'scripts, full', folder: 'scripts', files: 'full' },
    { name: 'stress, short', folder: 'stress', files: 'full' },
    { name: 'e2e, full', folder: 'e2e', files: 'full', env: everyLook },
    {
      name: 'e2e, every look and variant',
      folder: 'e2e',
      mentions: /\bvariants\b/,
      args: ['--grep', '@variants'],
      env: everyLook,
    },
  ],
}

/** The runners of a speed that can run here. */
export const runnersOf = (speed) =>
  runners[speed].filter(({ needs }) => needs === undefined || existsSync(join(root, 'node_modules', needs)))
