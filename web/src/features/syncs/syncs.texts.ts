import { formatNumber } from '../../lib/format/number.format.ts'
import { translate } from '../../lib/i18n/language.ts'

/** Texts about the sync of an account, on admin pages. */
export const syncTexts = translate({
  column: 'Health',
  states: {
    never: 'Never',
    queued: 'Queued…',
    running: (phase: string | null) => (phase === null ? 'Fetching…' : `Fetching… ${phase}`),
    done: 'OK',
    partial: 'Partly',
    failed: 'Failed',
    interrupted: 'Interrupted',
    resting: (until: string) => `Resting until ${until}`,
  },
  rows: (rows: number) => (rows === 1 ? '1 row' : `${formatNumber(rows)} rows`),
  next: (time: string) => `next ${time}`,
  run: 'Run now',
  asking: 'Asking...',
  runFailed: 'Failed to start the run. Please try again.',
  gap: 'Orders may be missing',
  gapText: (from: string, to: string) => `Orders made between ${from} and ${to} may be missing.`,
  gapReason:
    'The network’s list no longer reached back to the last known order. Compare this time with the network, import what is missing, then take the mark away.',
  gapClose: 'Checked',
  gapFailed: 'Failed to take the mark away. Please try again.',
  readAll: 'Read all orders',
  readAllQueued: 'All orders will be read, which may take several runs.',
  catchUp: (hours: number, orders: number) =>
    `After ${formatNumber(hours)} h without a reading: ${formatNumber(orders)} new orders`,
  lateChanges: (changes: number) => `All orders read: ${formatNumber(changes)} late changes`,
  runs: 'Runs',
  runsOf: (name: string) => `Runs of ${name}`,
  runsFailed: 'Failed to load runs. Please try again.',
  runsEmpty: 'Nothing was fetched yet.',
  columns: {
    started: 'Started',
    duration: 'Duration',
    status: 'Status',
    rows: 'Rows',
    created: 'New',
    updated: 'Changed',
    unmapped: 'Unmapped',
    requests: 'Requests',
    error: 'Error',
  },
  seconds: (seconds: number) => `${formatNumber(seconds, seconds < 10 ? 1 : 0, '.')} s`,
  minutes: (minutes: number, seconds: number) => `${minutes} min ${seconds} s`,
  none: '—',
})
