/**
 * The limit because of which this process refused a request or closed a connection. The labels of `refused` on
 * /metrics.
 */
export type RefusalReason =
  | 'requests'
  | 'requests_of_address'
  | 'requests_of_person'
  | 'unauthenticated'
  | 'public'
  | 'public_of_address'
  | 'arrivals'
  | 'arrivals_of_address'
  | 'probes'
  | 'pipelined'
  | 'refusals_of_address'
  | 'bytes_of_person'
  | 'tasks_of_person'
  | 'connections_of_address'
  | 'database'
  | 'exports'
  | 'uploads'
  | 'previews'
  | 'questions'
  | 'imports'
  | 'connector_tests'
  | 'workbooks'
  | 'passwords'
  | 'slow_body'
  | 'slow_reader'
  | 'slot_overdue'

const counts = new Map<RefusalReason, number>()

export function countRefusal(reason: RefusalReason): void {
  counts.set(reason, (counts.get(reason) ?? 0) + 1)
}

/** How many refusals this process has made for each reason since its start. */
export const getRefusalCounts = (): ReadonlyMap<RefusalReason, number> => counts
