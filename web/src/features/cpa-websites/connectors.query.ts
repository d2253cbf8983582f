import { useQuery } from '@tanstack/react-query'
import { connectors } from '@karvon/contract/connectors/connectors.ts'
import { resourceCalls } from '@karvon/contract/lib/resource-calls.ts'
import { sourceCredentials } from '@karvon/contract/source-credentials/source-credentials.ts'
import type { Option } from '../../components/fields/options.ts'
import { send } from '../../lib/http.ts'
import { readList } from '../../lib/list.result.ts'
import { queryKeys } from '../../lib/query-keys.ts'

const fullListQuery = { page: 1, per_page: 200, sort: 'name' }

/** The connectors as options, by their codes. */
export async function listConnectors(signal: AbortSignal): Promise<readonly Option[]> {
  const answer = await send(resourceCalls(connectors).list, { query: fullListQuery, signal })
  return readList<{ code: string; name: string }>(answer).items.map(({ code, name }) => ({
    value: code,
    label: name,
  }))
}

/** The source credentials with which a source's network can be tested. */
export function useSourceCredentialOptions(sourceId: number | null): readonly Option[] | undefined {
  const { data } = useQuery({
    queryKey: queryKeys.sourceCredentials(sourceId),
    queryFn: async ({ signal }) =>
      readList<{ id: number; name: string }>(
        await send(resourceCalls(sourceCredentials).list, {
          query: { ...fullListQuery, source_id: sourceId },
          signal,
        }),
      ).items,
    enabled: sourceId !== null,
  })
  return data?.map(({ id, name }) => ({ value: String(id), label: name }))
}
