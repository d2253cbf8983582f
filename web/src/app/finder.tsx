import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { SearchIcon } from '../components/actions/icons.tsx'
import { appTexts as texts } from './app.texts.ts'
import classes from './finder.module.css'

const FinderDialog = lazy(async () => ({ default: (await import('./finder-dialog.tsx')).FinderDialog }))

/** The header's way to any page or parcel, by button or Ctrl K (Command K on a Mac). */
export function Finder({ admin, russian }: { admin: boolean; russian: boolean }) {
  const [opened, setOpened] = useState(false)
  // Its code is fetched on the first opening and stays, so that closing can be seen.
  const [used, setUsed] = useState(false)
  const open = () => {
    setUsed(true)
    setOpened(true)
  }

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 'k') return
    event.preventDefault()
    open()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])

  return (
    <>
      <button type="button" className={classes.trigger} aria-keyshortcuts="Control+K" onClick={open}>
        <SearchIcon size={17} />
        {(russian ? texts.russianFinder : texts).find}
        <kbd aria-hidden="true">{texts.findHint}</kbd>
      </button>
      {used && (
        <Suspense>
          <FinderDialog opened={opened} admin={admin} russian={russian} onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  )
}
