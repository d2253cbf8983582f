import { useMemo, useState } from 'react'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { activateUser, deactivateUser } from '@karvon/contract/users/users.ts'
import { useDialogs, type Dialogs } from '../../components/overlay/dialogs.tsx'
import { useToasts, type Toasts } from '../../components/overlay/toasts.tsx'
import type { BulkAction } from '../../components/table/column.ts'
import { reasonOf, send } from '../../lib/http.ts'
import { getSession } from '../../lib/session.store.ts'
import { sessionWork } from '../../lib/session.work.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { usersTexts as texts } from './users.texts.ts'

/** How many failures a message names. */
const mostNamed = 10

// The specification's bulk buttons only log and do nothing.
const logging: readonly BulkAction[] = [texts.activate, texts.deactivate].map((label) => ({
  label,
  // oxlint-disable-next-line no-console -- logging is what they do
  onRun: (ids) => console.log(label, ids),
}))

/** Activate and Deactivate for whoever is selected: for each of them, where the installation switches that on. */
export function useUsersBulk(): readonly BulkAction[] {
  const { bulk_users: bulk } = useSettings()
  const client = useQueryClient()
  const toasts = useToasts()
  const dialogs = useDialogs()
  const [running, setRunning] = useState(false)
  return useMemo(() => {
    if (bulk !== 'live') return logging
    return [true, false].map((active) => ({
      label: active ? texts.activate : texts.deactivate,
      disabled: running,
      onRun: (ids: string[]) => {
        setRunning(true)
        void switchAll({ ids, active, client, toasts, dialogs }).finally(() => setRunning(false))
      },
    }))
  }, [bulk, running, client, toasts, dialogs])
}

interface Bulk {
  readonly ids: readonly string[]
  readonly active: boolean
  readonly client: QueryClient
  readonly toasts: Toasts
  readonly dialogs: Dialogs
}

/** One after another, told by a toast that can stop it; who could not be switched is named with the reason. */
async function switchAll({ ids, active, client, toasts, dialogs }: Bulk): Promise<void> {
  const { signal, abort, end } = sessionWork()
  const session = getSession()?.token
  const title = active ? texts.activating : texts.deactivating
  const toast = toasts.work({ title, action: texts.stop, onAction: abort })
  const failed: string[] = []
  let done = 0
  for (const id of ownLast(ids)) {
    toast.say(texts.soFar(done + failed.length, ids.length), (done + failed.length) / ids.length)
    try {
      await send(active ? activateUser : deactivateUser, { params: { id } })
      done += 1
    } catch (error) {
      failed.push(`${nameOf(client, id)}: ${reasonOf(error)}`)
    }
    if (signal.aborted) break
  }
  toast.end()
  end()
  // Who deactivated themselves is elsewhere by now.
  if (getSession()?.token !== session) return
  await client.invalidateQueries({ queryKey: ['resource'] })
  const left = ids.length - done - failed.length
  const said = (active ? texts.activated : texts.deactivated)(done)
  if (done > 0 || left > 0) toasts.show({ title: said, ...(left > 0 && { text: texts.stopped(left) }) })
  if (failed.length === 0) return
  const words = (active ? texts.notActivated : texts.notDeactivated)(failed.length, ids.length)
  const further = failed.length - mostNamed
  const named = [...failed.slice(0, mostNamed), ...(further > 0 ? [texts.furtherOnes(further)] : [])]
  await dialogs.alert(words, named.join('\n'))
}

/** Whoever switches themselves off could not go on with the others. */
function ownLast(ids: readonly string[]): readonly string[] {
  const own = String(getSession()?.user?.id)
  return ids.includes(own) ? [...ids.filter((id) => id !== own), own] : ids
}

/** The username, as a list that was shown has it. */
function nameOf(client: QueryClient, id: string): string {
  const lists = client.getQueriesData<{ items: readonly { id: number; username: string }[] }>({
    queryKey: ['resource', 'users', 'list'],
  })
  const row = lists.flatMap(([, list]) => list?.items ?? []).find((each) => String(each.id) === id)
  return row?.username ?? id
}
