import { lazy, Suspense, useState } from 'react'
import { flushSync } from 'react-dom'
import { useQueryClient } from '@tanstack/react-query'
import { maxLeadsChanged } from '@karvon/contract/lib/limits.ts'
import { LeadList } from './lead-list.tsx'
import { stateTexts } from './leads.texts.ts'

const StateDialog = lazy(async () => ({ default: (await import('./state-dialog.tsx')).StateDialog }))

/** All leads, with the bulk change of state. */
export function LeadsPage() {
  const client = useQueryClient()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [changing, setChanging] = useState(false)
  // Its code is fetched once something is selected, and stays.
  const [selecting, setSelecting] = useState(false)
  const tooMany = selected.size > maxLeadsChanged

  const select = (next: ReadonlySet<string>) => {
    setSelecting(true)
    setSelected(next)
  }
  const changed = async () => {
    await Promise.all(['leads', 'report'].map((key) => client.invalidateQueries({ queryKey: [key] })))
    // The dialog gives the focus back to the bulk bar, which goes with the selection: on to the list.
    flushSync(() => setChanging(false))
    flushSync(() => setSelected(new Set()))
    document.querySelector<HTMLElement>('tr[data-key][tabindex="0"]')?.focus({ preventScroll: true })
  }
  return (
    <>
      <LeadList
        scope="all"
        selection={{
          selected,
          onChange: select,
          actions: [
            {
              label: tooMany ? stateTexts.tooMany(maxLeadsChanged) : stateTexts.open,
              onRun: () => setChanging(true),
              disabled: tooMany,
            },
          ],
        }}
      />
      {selecting && (
        <Suspense>
          <StateDialog
            opened={changing}
            ids={[...selected]}
            onClose={() => setChanging(false)}
            onChanged={changed}
          />
        </Suspense>
      )}
    </>
  )
}

/** The leads of a person's own streams. */
export function OwnLeadsPage() {
  return <LeadList scope="own" />
}
