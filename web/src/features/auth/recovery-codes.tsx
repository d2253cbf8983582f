import { useEffect, useRef } from 'react'
import { Button } from '../../components/actions/button.tsx'
import { useCopy } from '../../components/copy.hook.ts'
import { saveFile } from '../../lib/file.save.ts'
import classes from './second-factor.module.css'
import { secondFactorTexts as texts } from './second-factor.texts.ts'

/** The recovery codes. They are shown only once. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { textRef, copy } = useCopy<HTMLUListElement>(texts)
  const introRef = useRef<HTMLParagraphElement>(null)
  // The focused element is gone. The focus moves to the codes.
  useEffect(() => introRef.current?.focus(), [])
  const lines = codes.join('\n')
  return (
    <div className={classes.step}>
      <p ref={introRef} tabIndex={-1}>
        {texts.keep}
      </p>
      <ul ref={textRef} aria-label={texts.recovery} className={classes.codes}>
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
