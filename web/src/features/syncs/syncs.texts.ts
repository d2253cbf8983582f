import type { SyncPart } from '@karvon/contract/lib/sync-health.ts'
import { defineMessages } from '../../lib/i18n/messages.ts'

/** What a run fetches. */
const parts: Readonly<Record<SyncPart, string>> = {
  acts: 'acts',
  all_orders: 'all orders',
  finance: 'balance',
  offers: 'offers',
  orders: 'orders',
  parcels: 'parcels',
  streams: 'streams',
  transactions: 'transactions',
  withdrawals: 'withdrawals',
}

/** Texts about the sync of an account, on admin pages. */
export const syncTexts = defineMessages('syncs', {
  column: 'Health',
  states: {
    never: 'Never',
    queued: 'Queued…',
    running: 'Fetching…',
    runningPart: 'Fetching… {part}',
    done: 'OK',
    partial: 'Partly',
    failed: 'Failed',
    interrupted: 'Interrupted',
    resting: 'Resting until {until}',
  },
  parts,
  partPage: '{part}, page {page}',
  partReason: '{part}: {reason}',
  failures: { one: '{count, number} failure.', other: '{count, number} failures in a row.' },
  rows: { one: '{count, number} row', other: '{count, number} rows' },
  next: 'next {time}',
  run: 'Run now',
  asking: 'Asking...',
  runFailed: 'Failed to start the run. Please try again.',
  gap: 'Orders may be missing',
  gapText: 'Orders made between {from} and {to} may be missing.',
  gapReason:
    'The network’s list no longer reached back to the last known order. Compare this time with the network, import what is missing, then remove the mark.',
  gapClose: 'Checked',
  gapFailed: 'Failed to remove the mark. Please try again.',
  readAll: 'Read all orders',
  readAllQueued: 'All orders will be read, which may take several runs.',
  catchUp: 'After {hours, number} h without a scan: {orders, number} new orders',
  lateChanges: 'All orders read: {changes, number} late changes',
  runs: 'Runs',
  runsOf: 'Runs of {name}',
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
  seconds: '{seconds} s',
  minutes: '{minutes} min {seconds} s',
})
