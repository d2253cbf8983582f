import type { ListResult } from '../lib/list.result.ts'

/** Milliseconds between two reloads: short while a row is due, since the server is about to send it. */
const intervalsMs = { waiting: 15_000, due: 2000 }

interface QueueRow {
  readonly status: string
  readonly next_at: string | null
}

const isDue = ({ status, next_at }: QueueRow) =>
  status === 'queued' && next_at !== null && Date.parse(next_at) <= Date.now()

/** The interval at which the list of a queue reloads, because the server works through the queue. */
export const getQueueRefetchInterval = ({
  state: { data },
}: {
  state: { data?: ListResult<QueueRow> | undefined }
}): number => (data?.items.some(isDue) ? intervalsMs.due : intervalsMs.waiting)
