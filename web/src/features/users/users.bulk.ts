import { useMemo, useState } from 'react'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { activateUser, deactivateUser } from '@karvon/contract/users/users.ts'
import { useDialogs, type Dialogs } from '../../components/overlay/dialogs.tsx'
import { useToasts, type Toasts } from '../../components/overlay/toasts.tsx'
import type { BulkAction } from '../../components/table/column.ts'
import { getErrorMessage, send } from '../../lib/http.ts'
import { getSession } from '../../lib/session.store.ts'
import { startSessionTask } from '../../lib/session.task.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { usersTexts as texts } from './users.texts.ts'
import { queryKeys } from '../../lib/query-keys.ts'

/** The number of failures that a message lists. */
const maxNamedFailures = 10

// The specification's bulk buttons only log and do nothing.
const loggingActions: readonly BulkAction[] = [texts.activate, texts.deactivate].map((label) => ({
  label,
  // oxlint-disable-next-line no-console -- logging is what they do
  onRun: (ids) => console.log(label, ids),
}))

/** The bulk actions Activate and Deactivate. They only work where the installation enables them. */
export function useUsersBulk(): readonly BulkAction[] {
  const { bulk_users: bulk } = useSettings()
  const client = useQueryClient()
  const toasts = useToasts()
  const dialogs = useDialogs()
  const [isRunning, setIsRunning] = useState(false)
  return useMemo(() => {
    if (bulk !== 'live') return loggingActions
    return [true, false].map((active) => ({
      label: active ? texts.activate : texts.deactivate,
      disabled: isRunning,
      onRun: (ids: string[]) => {
        setIsRunning(true)
        void activateAll({ ids, active, client, toasts, dialogs }).finally(() => setIsRunning(false))
      },
    }))
  }, [bulk, isRunning, client, toasts, dialogs])
}

interface BulkActivation {
  readonly ids: readonly string[]
  readonly active: boolean
  readonly client: QueryClient
  readonly toasts: Toasts
  readonly dialogs: Dialogs
}

/**
 * Changes one person after the other. A toast shows the progress and can stop it. An alert lists the
 * failures.
 */
async function activateAll({ ids, active, client, toasts, dialogs }: BulkActivation): Promise<void> {
  const { signal, abort, end } = startSessionTask()
  const session = getSession()?.token
  const title = active ? texts.activating : texts.deactivating
  const toast = toasts.showProgress({ title, action: texts.stop, onAction: abort })
  const failedNames: string[] = []
  let doneCount = 0
  for (const id of moveOwnLast(ids)) {
    toast.update(
      texts.soFar({ done: doneCount + failedNames.length, all: ids.length }),
      (doneCount + failedNames.length) / ids.length,
    )
    try {
      await send(active ? activateUser : deactivateUser, { params: { id } })
      doneCount += 1
    } catch (error) {
      failedNames.push(`${findUserName(client, id)}: ${getErrorMessage(error)}`)
    }
    if (signal.aborted) break
  }
  toast.end()
  end()
  // A person who deactivated themselves has no session now.
  if (getSession()?.token !== session) return
  await client.invalidateQueries({ queryKey: queryKeys.resources })
  const remainingCount = ids.length - doneCount - failedNames.length
  const doneTitle = (active ? texts.activated : texts.deactivated)({ done: doneCount })
  if (doneCount > 0 || remainingCount > 0)
    toasts.show({
      title: doneTitle,
      ...(remainingCount > 0 && { text: texts.stopped({ left: remainingCount }) }),
    })
  if (failedNames.length === 0) return
  const message = (active ? texts.notActivated : texts.notDeactivated)({
    failed: failedNames.length,
    all: ids.length,
  })
  const furtherCount = failedNames.length - maxNamedFailures
  const failureLines = [
    ...failedNames.slice(0, maxNamedFailures),
    ...(furtherCount > 0 ? [texts.furtherOnes({ count: furtherCount })] : []),
  ]
  await dialogs.alert(message, failureLines.join('\n'))
}

/** Moves the id of the person to the end: a person who deactivates themselves could not continue. */
function moveOwnLast(ids: readonly string[]): readonly string[] {
  const ownId = String(getSession()?.user?.id)
  return ids.includes(ownId) ? [...ids.filter((id) => id !== ownId), ownId] : ids
}

/** The username, from a list in the cache. */
function findUserName(client: QueryClient, id: string): string {
  const lists = client.getQueriesData<{ items: readonly { id: number; username: string }[] }>({
    queryKey: queryKeys.resourceLists('users'),
  })
  const row = lists.flatMap(([, list]) => list?.items ?? []).find((user) => String(user.id) === id)
  return row?.username ?? id
}
