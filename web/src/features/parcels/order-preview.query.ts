import { useQuery } from '@tanstack/react-query'
import { previewFile, type OrderPreview } from '@karvon/contract/uploads/uploads.ts'
import { HttpError, send } from '../../lib/http.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { getServerMessageCode } from '../../lib/server-messages.ts'
import { describePreviewProblem } from './order-preview.problems.ts'

/**
 * Milliseconds for the upload and the reading of a preview. It blocks nothing and ends when the file is
 * removed.
 */
const timeoutMs = 60_000

/** `refused`: the upload would refuse the file, too, for this reason. */
export type PreviewState =
  | { state: 'reading' }
  | { state: 'loaded'; preview: OrderPreview }
  | { state: 'refused'; reason: string }
  | { state: 'failed' }

/**
 * The preview of one picked file. `pickNumber` identifies the pick. While the file is uploaded no preview is
 * requested.
 */
export function useOrderPreview(pickNumber: number, file: File, isSending: boolean): PreviewState {
  const { data, error } = useQuery({
    queryKey: queryKeys.orderPreview(pickNumber),
    queryFn: ({ signal }) => {
      const body = new FormData()
      body.set('file', file)
      return send(previewFile, { body, signal, timeoutMs })
    },
    enabled: !isSending,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (data) return { state: 'loaded', preview: data }
  if (!error) return { state: 'reading' }
  const isRefused = error instanceof HttpError && [413, 415, 422].includes(error.status)
  return isRefused ? { state: 'refused', reason: describeRefusal(error) } : { state: 'failed' }
}

function describeRefusal({ identified, message }: HttpError): string {
  const code = identified && getServerMessageCode(identified.id)
  return describePreviewProblem({ message, code, params: identified?.params })
}
