import { useQueries } from '@tanstack/react-query'
import { buildOptionsQuery, resourceOptions } from '../../resources/reference-options.ts'
import type { ValueContext } from './audit.changes.ts'

/** The most rows that are loaded by a call each. An entry may refer to a thousand. */
const maxSingleRows = 20

/**
 * Finds the names of rows, of which `references` has the ids by resource. A page loads the first rows of each resource once.
 * `isComplete`: also some of the rows beyond them, each by a call.
 */
export function useRowNames(
  references: ReadonlyMap<string, ReadonlySet<number>>,
  isComplete: boolean,
): ValueContext['findName'] {
  const targets = [...references.keys()]
  const lists = useQueries({ queries: targets.map((target) => buildOptionsQuery(resourceOptions(target))) })
  const names = new Map<string, string>()
  const addName = (
    target: string | undefined,
    id: number | null | undefined,
    name: string | null | undefined,
  ) => {
    if (typeof id === 'number' && name) names.set(`${target} ${id}`, name)
  }
  for (const [index, { data }] of lists.entries())
    for (const { id, name } of data?.items ?? []) addName(targets[index], id, name)
  const missingRows = targets.flatMap((target, index) =>
    isComplete && lists[index]?.data !== undefined
      ? [...(references.get(target) ?? [])].flatMap((id) =>
          names.has(`${target} ${id}`) ? [] : [{ target, id }],
        )
      : [],
  )
  const rows = useQueries({
    queries: missingRows.slice(0, maxSingleRows).map(({ target, id }) => {
      const { key, findOne } = resourceOptions(target)
      return {
        queryKey: [...key, String(id)],
        queryFn: async ({ signal }: { signal: AbortSignal }) => (await findOne?.(String(id), signal)) ?? null,
        retry: false,
      }
    }),
  })
  for (const [index, { data }] of rows.entries())
    addName(missingRows[index]?.target, missingRows[index]?.id, data?.name)
  return (target, id) => names.get(`${target} ${id}`)
}
