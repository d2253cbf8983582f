import { useQuery } from '@tanstack/react-query'
import { previewFile, type OrderPreview } from '@karvon/contract/uploads/uploads.ts'
import { HttpError, send } from '../../lib/http.ts'

/** Where previews are kept, for whoever gives one up. */
export const previewKey = ['order-preview'] as const

/** Milliseconds for the file to travel and be read; it blocks nothing, and is given up with the file. */
const patience = 60_000

/** `refused`: the upload would not take it either, and why. */
export type Previewed =
  | { state: 'reading' }
  | { state: 'seen'; preview: OrderPreview }
  | { state: 'refused'; reason: string }
  | { state: 'failed' }

/** What is known of one picked file; `pick` is its own number. While `sending` nothing is asked: the line is the upload's. */
export function useOrderPreview(pick: number, file: File, sending: boolean): Previewed {
  const { data, error } = useQuery({
    queryKey: [...previewKey, pick],
    queryFn: ({ signal }) => {
      const body = new FormData()
      body.set('file', file)
      return send(previewFile, { body, signal, patience })
    },
    enabled: !sending,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (data) return { state: 'seen', preview: data }
  if (!error) return { state: 'reading' }
  const refused = error instanceof HttpError && [413, 415, 422].includes(error.status)
  return refused ? { state: 'refused', reason: error.message } : { state: 'failed' }
}
