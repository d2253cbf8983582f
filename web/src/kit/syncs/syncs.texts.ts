import { formatNumber } from '../../ui/format/number.format.ts'
import { speak } from '../../ui/language/language.ts'

/** What the fetching of an account says, on admin pages. */
export const syncTexts = speak({
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
