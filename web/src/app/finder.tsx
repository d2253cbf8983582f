import { lazy, useState } from 'react'
import { SearchIcon } from '../components/actions/icons.tsx'
import { useDocumentKey } from '../components/document-key.hook.ts'
import { LazyDialog } from '../components/lazy-part.tsx'
import { startTypingCapture } from '../components/overlay/typing-capture.ts'
import { appTexts as texts } from './app.texts.ts'
import classes from './finder.module.css'

const FinderDialog = lazy(async () => ({ default: (await import('./finder-dialog.tsx')).FinderDialog }))

/** The button in the header that opens the finder. Ctrl K (Command K on a Mac) opens it, too. */
export function Finder({ admin, russian }: { admin: boolean; russian: boolean }) {
  const { find } = russian ? texts.russianFinder : texts
  const [isOpen, setIsOpen] = useState(false)
  const open = () => {
    startTypingCapture()
    setIsOpen(true)
  }
  const close = () => setIsOpen(false)

  useDocumentKey((event) => {
    // On the Russian layout the key of K types л.
    const isK = event.code === 'KeyK' || event.key.toLowerCase() === 'k'
    if (!isK || !(event.ctrlKey || event.metaKey) || event.altKey) return
    event.preventDefault()
    open()
  })

  return (
    <>
      <button type="button" className={classes.trigger} aria-keyshortcuts="Control+K" onClick={open}>
        <SearchIcon size={17} />
        {find}
        <kbd aria-hidden="true">{texts.findHint}</kbd>
      </button>
      <LazyDialog opened={isOpen} onClose={close}>
        <FinderDialog opened={isOpen} admin={admin} russian={russian} onClose={close} />
      </LazyDialog>
    </>
  )
}
