import { lazy, Suspense, useState } from 'react'
import { SearchIcon } from '../components/actions/icons.tsx'
import { appTexts as texts } from './app.texts.ts'
import { useDocumentKey } from '../components/document-key.hook.ts'
import { startTypingCapture } from '../components/overlay/typing-capture.ts'
import classes from './finder.module.css'

const FinderDialog = lazy(async () => ({ default: (await import('./finder-dialog.tsx')).FinderDialog }))

/** The button in the header that opens the finder. Ctrl K (Command K on a Mac) opens it, too. */
export function Finder({ admin, russian }: { admin: boolean; russian: boolean }) {
  const [isOpen, setIsOpen] = useState(false)
  // The dialog's code loads on the first opening. The dialog then stays mounted so that its closing is animated.
  const [isLoaded, setIsLoaded] = useState(false)
  const open = () => {
    startTypingCapture()
    setIsLoaded(true)
    setIsOpen(true)
  }

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
        {(russian ? texts.russianFinder : texts).find}
        <kbd aria-hidden="true">{texts.findHint}</kbd>
      </button>
      {isLoaded && (
        <Suspense>
          <FinderDialog opened={isOpen} admin={admin} russian={russian} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
