import type { ReactNode } from 'react'
import type { UseQueryResult } from '@tanstack/react-query'
import { ErrorState } from '../components/display/empty-state.tsx'
import { getErrorMessage } from '../lib/http.ts'

type QueryContentProps<Data> = {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'isFetching' | 'refetch'>
  loadFailed: string
  /** Shown while the query loads. It has the height of the content. */
  placeholder: ReactNode
  children: (data: Data) => ReactNode
}

/** The content that a query has loaded. Before that a placeholder, or the failure with a way to try again. */
export function QueryContent<Data>({ query, loadFailed, placeholder, children }: QueryContentProps<Data>) {
  const { data, error, isFetching, refetch } = query
  if (data !== undefined) return children(data)
  if (error === null || isFetching) return placeholder
  return (
    <ErrorState
      failure={{ message: loadFailed, reason: getErrorMessage(error) }}
      onRetry={() => void refetch()}
    />
  )
}
