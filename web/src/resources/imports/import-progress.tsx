import { Button } from '../../components/actions/button.tsx'
import { ImportCountsView } from './import-report.tsx'
import type { ImportStep } from './import.run.ts'
import { formatSent, type ImportState } from './import.store.ts'
import type { ImportTexts } from './import.texts.ts'
import classes from './imports.module.css'

type ImportProgressProps = { state: ImportState; step: ImportStep; texts: ImportTexts }

/** The progress of an import: the bytes sent, which can be stopped, then the server's counts. */
export function ImportProgressView({ state, step, texts }: ImportProgressProps) {
  const isSending = step.phase === 'sending'
  const title = isSending ? texts.sending({ file: state.file }) : texts.working({ file: state.file })
  return (
    <div className={classes.report}>
      <div className={classes.head}>
        <p role="status">{title}</p>
        {isSending && <Button onClick={state.stop}>{texts.stop}</Button>}
      </div>
      <progress
        className={classes.progress}
        aria-label={title}
        value={isSending ? step.sent / Math.max(step.total, 1) : step.part}
      />
      {isSending ? (
        <p className={classes.note}>{formatSent(step, texts)}</p>
      ) : (
        <>
          <ImportCountsView report={step.counts} texts={texts.report} />
          <p className={classes.note}>{texts.background}</p>
        </>
      )}
    </div>
  )
}
