import { Button } from '../../components/actions/button.tsx'
import { ImportCounts } from './import-report.tsx'
import type { ImportStep } from './import.run.ts'
import type { ImportState } from './import.store.ts'
import type { ImportTexts } from './import.texts.ts'
import classes from './imports.module.css'

type ImportProgressProps = { state: ImportState; step: ImportStep; texts: ImportTexts }

/** How far an import is: the bytes on their way, which can be stopped, then the server's counts. */
export function ImportProgress({ state, step, texts }: ImportProgressProps) {
  const sending = step.phase === 'sending'
  const title = sending ? texts.sending(state.file) : texts.working(state.file)
  return (
    <div className={classes.report}>
      <div className={classes.head}>
        <p role="status">{title}</p>
        {sending && <Button onClick={state.stop}>{texts.stop}</Button>}
      </div>
      <progress
        className={classes.progress}
        aria-label={title}
        value={sending ? step.sent / Math.max(step.total, 1) : step.part}
      />
      {sending ? (
        <p className={classes.note}>{texts.sent(step.sent, step.total)}</p>
      ) : (
        <>
          <ImportCounts report={step.counts} texts={texts.report} />
          <p className={classes.note}>{texts.background}</p>
        </>
      )}
    </div>
  )
}
