import { lazy, Suspense, useState } from 'react'
import { SearchIcon } from '../components/actions/icons.tsx'
import { useDocumentKey } from '../components/document-key.hook.ts'
import { useToasts } from '../components/overlay/toasts.tsx'
import { startTypingCapture, stopTypingCapture } from '../components/overlay/typing-capture.ts'
import { appTexts as texts } from './app.texts.ts'
import classes from './finder.module.css'

const loadDialog = () => import('./finder-dialog.tsx')
const FinderDialog = lazy(async () => ({ default: (await loadDialog()).FinderDialog }))

/** The button in the header that opens the finder. Ctrl K (Command K on a Mac) opens it, too. */
export function Finder({ admin, russian }: { admin: boolean; russian: boolean }) {
  const { find, findFailed } = russian ? texts.russianFinder : texts
  const toasts = useToasts()
  // Undefined before the first opening. The dialog then stays mounted so that its closing is animated.
  const [isOpen, setIsOpen] = useState<boolean>()
  const open = () => {
    startTypingCapture()
    // The code loads before the dialog is drawn. If it cannot be loaded, the page stays with its input.
    void loadDialog().then(
      () => setIsOpen(true),
      () => {
        stopTypingCapture()
        // Browsers keep the failure of an import until the page reloads.
        toasts.show({ title: findFailed, tone: 'danger' })
      },
    )
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
        {find}
        <kbd aria-hidden="true">{texts.findHint}</kbd>
      </button>
      {isOpen !== undefined && (
        <Suspense>
          <FinderDialog opened={isOpen} admin={admin} russian={russian} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
