import { lazy, useState } from 'react'
import type { SavedView } from '@karvon/contract/saved-views/saved-views.list.ts'
import { LazyDialog } from '../../components/lazy-part.tsx'

const ViewSchedule = lazy(async () => ({
  default: (await import('./view-schedule.form.tsx')).ViewSchedule,
}))

type ScheduleDialogProps = { view: SavedView; isRussian: boolean }

/** The schedule of a view, open from the start. It stays mounted, so that its closing returns the focus. */
export function ScheduleDialog({ view, isRussian }: ScheduleDialogProps) {
  const [isOpen, setIsOpen] = useState(true)
  const close = () => setIsOpen(false)
  return (
    <LazyDialog opened={isOpen} onClose={close}>
      <ViewSchedule view={view} opened={isOpen} isRussian={isRussian} onClose={close} />
    </LazyDialog>
  )
}
