/** Why this process refused or cut off somebody: it, or somebody in it, had enough to do. */
export type Refusal =
  | 'requests'
  | 'requests_of_address'
  | 'requests_of_person'
  | 'unproven'
  | 'public'
  | 'public_of_address'
  | 'arrivals'
  | 'arrivals_of_address'
  | 'probes'
  | 'pipelined'
  | 'refusals_of_address'
  | 'bytes_of_person'
  | 'works_of_person'
  | 'connections_of_address'
  | 'database'
  | 'exports'
  | 'uploads'
  | 'previews'
  | 'imports'
  | 'tries'
  | 'workbooks'
  | 'passwords'
  | 'slow_body'
  | 'slow_reader'
  | 'slot_overdue'

const counts = new Map<Refusal, number>()

export function countRefusal(why: Refusal): void {
  counts.set(why, (counts.get(why) ?? 0) + 1)
}

/** How often this process refused for each reason since it started. */
export const refusals = (): ReadonlyMap<Refusal, number> => counts
