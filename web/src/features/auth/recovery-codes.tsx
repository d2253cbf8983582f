import { useEffect, useRef } from 'react'
import { Button } from '../../components/actions/button.tsx'
import { useCopy } from '../../components/copy.hook.ts'
import { saveFile } from '../../lib/save-file.ts'
import classes from './second-factor.module.css'
import { secondFactorTexts as texts } from './second-factor.texts.ts'

/** Recovery codes, the only time that they are there to be kept. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { shown, copy } = useCopy<HTMLUListElement>(texts)
  const words = useRef<HTMLParagraphElement>(null)
  // What had the focus is gone; from here on the codes are what the dialog is about.
  useEffect(() => words.current?.focus(), [])
  const lines = codes.join('\n')
  return (
    <div className={classes.step}>
      <p ref={words} tabIndex={-1}>
        {texts.keep}
      </p>
      <ul ref={shown} aria-label={texts.recovery} className={classes.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code className="mono">{code}</code>
          </li>
        ))}
      </ul>
      <div className={classes.buttons}>
        <Button onClick={() => void copy(lines)}>{texts.copyCodes}</Button>
        <Button onClick={() => saveFile(texts.file, new Blob([`${lines}\n`], { type: 'text/plain' }))}>
          {texts.download}
        </Button>
        <Button tone="primary" onClick={onDone}>
          {texts.done}
        </Button>
      </div>
    </div>
  )
}
