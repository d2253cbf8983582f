import { lazy, Suspense, useState } from 'react'
import { flushSync } from 'react-dom'
import { useQueryClient } from '@tanstack/react-query'
import { maxLeadsChanged } from '@karvon/contract/lib/limits.ts'
import { LeadList } from './lead-list.tsx'
import { stateTexts } from './leads.texts.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { restoreTarget } from '../../lib/session.draft.ts'

const StateDialog = lazy(async () => ({
  default: (await import('./lead-status-dialog.tsx')).LeadStatusDialog,
}))

/** All leads, with the bulk change of status. */
export function LeadsPage() {
  const client = useQueryClient()
  const [restoredIds] = useState(() => restoreTarget('lead-status') as string | null)
  const [selection, setSelection] = useState<ReadonlySet<string>>(new Set(restoredIds?.split(',')))
  const [isDialogOpen, setIsDialogOpen] = useState(restoredIds !== null)
  // The dialog's code loads when something is selected. The dialog then stays mounted.
  const [isDialogLoaded, setIsDialogLoaded] = useState(isDialogOpen)
  const tooMany = selection.size > maxLeadsChanged

  const select = (next: ReadonlySet<string>) => {
    setIsDialogLoaded(true)
    setSelection(next)
  }
  const refreshAfterChange = async () => {
    await Promise.all(
      [queryKeys.leads, queryKeys.reports].map((queryKey) => client.invalidateQueries({ queryKey })),
    )
    // The bulk bar disappears with the selection. The focus moves to the list.
    flushSync(() => setIsDialogOpen(false))
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
      {isDialogLoaded && (
        <Suspense>
          <StateDialog
            opened={isDialogOpen}
            ids={[...selection]}
            onClose={() => setIsDialogOpen(false)}
            onChanged={refreshAfterChange}
          />
        </Suspense>
      )}
    </>
  )
}

/** The leads of the person's streams. */
export function OwnLeadsPage() {
  return <LeadList scope="own" />
}
