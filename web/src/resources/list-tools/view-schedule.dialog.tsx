import { lazy, Suspense, useState } from 'react'
import type { SavedView } from '@karvon/contract/saved-views/saved-views.list.ts'

const ViewSchedule = lazy(async () => ({
  default: (await import('./view-schedule.form.tsx')).ViewSchedule,
}))

type ScheduleDialogProps = { view: SavedView; isRussian: boolean }

/** The schedule of a view, open from the start. It stays mounted, so that its closing returns the focus. */
export function ScheduleDialog({ view, isRussian }: ScheduleDialogProps) {
  const [isOpen, setIsOpen] = useState(true)
  return (
    <Suspense>
      <ViewSchedule view={view} opened={isOpen} isRussian={isRussian} onClose={() => setIsOpen(false)} />
    </Suspense>
  )
}
