import type { OrderPreview as Preview } from '@karvon/contract/uploads/uploads.ts'
import { EmptyState } from '../../components/display/empty-state.tsx'
import { Skeleton } from '../../components/display/skeleton.tsx'
import { useOrderPreview, type PreviewState } from './order-preview.query.ts'
import { PreviewTable } from './order-preview.table.tsx'
import classes from './order-preview.module.css'
import { describePreviewProblem } from './order-preview.problems.ts'
import { previewTexts as texts } from './order-preview.texts.ts'
import { uploadTexts } from './parcels.texts.ts'

type OrderPreviewProps = {
  /** The number of the pick. Each picked file has another. */
  pick: number
  file: File
  sending: boolean
}

type OrderSummaryProps = OrderPreviewProps & { toggle: React.ReactNode }

/** The summary of a preview in one sentence. `toggle` follows it if there are rows. */
export function OrderSummary({ toggle, ...previewProps }: OrderSummaryProps) {
  const state = useOrderPreview(previewProps.pick, previewProps.file, previewProps.sending)
  return (
    <span role="status">
      {renderSummary(state)}
      {state.state === 'loaded' && hasRows(state.preview) && <> {toggle}</>}
    </span>
  )
}

const hasRows = ({ recognised, errors }: Preview) =>
  recognised.length > 0 && errors.every(({ row }) => row > 0)

function renderSummary(state: PreviewState): React.ReactNode {
  if (state.state === 'reading') return uploadTexts.reading
  if (state.state === 'refused') return <span className={classes.bad}>{texts.refused}</span>
  if (state.state === 'failed') return texts.failed
  const { recognised, total, skipped, errors } = state.preview
  if (errors.some(({ row }) => row === 0)) return <span className={classes.bad}>{texts.unreadable}</span>
  if (recognised.length === 0) return texts.noOrders
  return (
    <>
      {texts.orders({ count: total - skipped })}
      {skipped > 0 && (
        <>
          , <span className={classes.bad}>{texts.faulty({ count: skipped })}</span>
        </>
      )}
      .
    </>
  )
}

/** The first rows of an order file and the reasons of skipped rows. It fills its container. */
export function OrderPreviewPanel({ pick, file, sending }: OrderPreviewProps) {
  return renderPreview(useOrderPreview(pick, file, sending))
}

function renderPreview(state: PreviewState): React.ReactNode {
  if (state.state === 'reading') return <Skeleton height="100%" />
  if (state.state === 'refused') return <PreviewMessage text={state.reason} />
  if (state.state === 'failed') return <PreviewMessage text={texts.failed} />
  const { preview } = state
  const fileProblem = preview.errors.find(({ row }) => row === 0)
  if (fileProblem) return <PreviewMessage text={describePreviewProblem(fileProblem)} />
  if (preview.recognised.length === 0) return <PreviewMessage text={texts.noOrdersHint} />
  if (preview.total === 0) return <PreviewMessage text={texts.empty} />
  return <PreviewTable preview={preview} />
}

function PreviewMessage({ text }: { text: string }) {
  return (
    <div className={classes.words}>
      <EmptyState text={text} />
    </div>
  )
}
