import { lazy, useState } from 'react'
import { flushSync } from 'react-dom'
import { useQueryClient } from '@tanstack/react-query'
import { maxLeadsChanged } from '@karvon/contract/lib/limits.ts'
import { LazyDialog } from '../../components/lazy-part.tsx'
import { LeadList } from './lead-list.tsx'
import { stateTexts } from './leads.texts.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { restoreTarget } from '../../lib/session.draft.ts'

const loadStatusDialog = () => import('./lead-status-dialog.tsx')
const StatusDialog = lazy(async () => ({ default: (await loadStatusDialog()).LeadStatusDialog }))
// A failure shows when the dialog opens.
const preloadStatusDialog = () => void loadStatusDialog().catch(() => undefined)

/** All leads, with the bulk change of status. */
export function LeadsPage() {
  const client = useQueryClient()
  const [restoredIds] = useState(() => restoreTarget('lead-status') as string | null)
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set(restoredIds?.split(',')))
  const [isDialogOpen, setIsDialogOpen] = useState(restoredIds !== null)
  const closeDialog = () => setIsDialogOpen(false)
  const tooMany = selection.size > maxLeadsChanged

  const select = (next: ReadonlySet<string>) => {
    preloadStatusDialog()
    setSelection(next)
  }
  const refreshAfterChange = async () => {
    await Promise.all(
      [queryKeys.leads, queryKeys.reports].map((queryKey) => client.invalidateQueries({ queryKey })),
    )
    // The bulk bar disappears with the selection. The focus moves to the list.
    flushSync(closeDialog)
    flushSync(() => setSelection(new Set()))
    document.querySelector<HTMLElement>('tr[data-key][tabindex="0"]')?.focus({ preventScroll: true })
  }
  return (
    <>
      <LeadList
        scope="all"
        selection={{
          selected: selection,
          onChange: select,
          actions: [
            {
              label: tooMany ? stateTexts.tooMany({ most: maxLeadsChanged }) : stateTexts.open,
              onRun: () => setIsDialogOpen(true),
              disabled: tooMany,
            },
          ],
        }}
      />
      <LazyDialog opened={isDialogOpen} onClose={closeDialog}>
        <StatusDialog
          opened={isDialogOpen}
          ids={[...selection]}
          onClose={closeDialog}
          onChanged={refreshAfterChange}
        />
      </LazyDialog>
    </>
  )
}

/** The leads of the person's streams. */
export function OwnLeadsPage() {
  return <LeadList scope="own" />
}
