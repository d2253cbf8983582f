import { useMutation, useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { getTelegram, type TelegramLink } from '@karvon/contract/notices/notices.ts'
import { useDialogs } from '../../components/overlay/dialogs.tsx'
import { reasonOf, send } from '../../lib/http.ts'

const key = ['telegram']

/** Milliseconds between two looks while the bot is awaited. */
const every = 3000

const isAwaited = (link: TelegramLink | undefined) => link?.code !== null && link?.code !== undefined

/** One's own chat; looked at again and again while there is a code that the bot may get. */
export function useTelegram(): UseQueryResult<TelegramLink> {
  return useQuery({
    queryKey: key,
    queryFn: ({ signal }) => send(getTelegram, { signal }),
    refetchInterval: ({ state }) => (isAwaited(state.data) ? every : false),
    refetchOnWindowFocus: ({ state }) => isAwaited(state.data),
  })
}

/** A change of it; its answer is what the card shows from then on. `failed` heads the reason of a failure. */
export function useTelegramChange<Input = void>(
  change: (input: Input) => Promise<TelegramLink>,
  failed: string,
  done?: () => void,
) {
  const client = useQueryClient()
  const dialogs = useDialogs()
  return useMutation({
    // An older look must not come in behind it.
    onMutate: () => client.cancelQueries({ queryKey: key }),
    mutationFn: change,
    onSuccess: (link) => {
      client.setQueryData(key, link)
      done?.()
    },
    onError: (error) => dialogs.alert(failed, reasonOf(error)),
  })
}

/** Shows on the card what a change of the link answers. Rejects where the change is refused. */
export function useTelegramShown(): (change: Promise<TelegramLink>) => Promise<void> {
  const client = useQueryClient()
  return async (change) => {
    // An older look must not come in behind it.
    await client.cancelQueries({ queryKey: key })
    client.setQueryData(key, await change)
  }
}
