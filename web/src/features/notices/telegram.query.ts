import { useRef } from 'react'
import { useMutation, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { getTelegram, type TelegramLink } from '@karvon/contract/notices/notices.ts'
import { useDialogs } from '../../components/overlay/dialogs.tsx'
import { getErrorMessage, send } from '../../lib/http.ts'
import { queryKeys } from '../../lib/query-keys.ts'

/** Milliseconds between two polls while a link code is open. */
const pollIntervalMs = 3000

const isWaitingForBot = (link: TelegramLink | undefined) => link?.code !== null && link?.code !== undefined

/** The own chat. It is polled while a link code is open. */
export function useTelegram(): UseQueryResult<TelegramLink> {
  return useQuery({
    queryKey: queryKeys.telegramLink,
    queryFn: ({ signal }) => send(getTelegram, { signal }),
    refetchInterval: ({ state }) => (isWaitingForBot(state.data) ? pollIntervalMs : false),
    refetchOnWindowFocus: ({ state }) => isWaitingForBot(state.data),
  })
}

/** A change of the notice choices. The card then shows the answer. `failureText` heads the error dialog. */
export function useTelegramChange<Input>(
  change: (input: Input) => Promise<TelegramLink>,
  failureText: string,
) {
  const client = useQueryClient()
  const dialogs = useDialogs()
  const mutationKey = queryKeys.telegramLink
  // The last answer of the server, for when a change fails.
  const lastAnswer = useRef<TelegramLink>(undefined)
  const showLastAnswer = () => {
    if (client.isMutating({ mutationKey }) === 1)
      client.setQueryData(queryKeys.telegramLink, lastAnswer.current)
  }
  return useMutation({
    mutationKey,
    // One after the other, so that the last answer has all changes.
    scope: { id: 'telegram' },
    onMutate: async (input) => {
      if (client.isMutating({ mutationKey }) === 1)
        lastAnswer.current = client.getQueryData(queryKeys.telegramLink)
      // An older answer must not overwrite the change.
      await client.cancelQueries({ queryKey: queryKeys.telegramLink })
      client.setQueryData<TelegramLink>(queryKeys.telegramLink, (link) => link && { ...link, ...input })
    },
    mutationFn: change,
    onSuccess: (link) => {
      lastAnswer.current = link
      showLastAnswer()
    },
    onError: async (error) => {
      showLastAnswer()
      void client.invalidateQueries({ queryKey: queryKeys.telegramLink })
      await dialogs.alert(failureText, getErrorMessage(error))
    },
  })
}

/** Applies the answer of a change to the card. Rejects when the change fails. */
export function useTelegramUpdate(): (change: Promise<TelegramLink>) => Promise<void> {
  const client = useQueryClient()
  return async (change) => {
    // An older answer must not overwrite the change.
    await client.cancelQueries({ queryKey: queryKeys.telegramLink })
    client.setQueryData(queryKeys.telegramLink, await change)
  }
}
