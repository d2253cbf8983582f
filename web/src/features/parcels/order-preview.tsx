import type { OrderPreview as Preview } from '@karvon/contract/uploads/uploads.ts'
import { EmptyState } from '../../components/display/empty-state.tsx'
import { Skeleton } from '../../components/display/skeleton.tsx'
import { useOrderPreview, type Previewed } from './order-preview.query.ts'
import { PreviewTable } from './order-preview.table.tsx'
import classes from './order-preview.module.css'
import { previewTexts as texts } from './order-preview.texts.ts'
import { uploadTexts } from './parcels.texts.ts'

export type OrderPreviewProps = {
  /** Another number for each file that was picked. */
  pick: number
  file: File
  sending: boolean
}

export type OrderSummaryProps = OrderPreviewProps & { toggle: React.ReactNode }

/** What a file was taken for, in a sentence; `toggle` stands behind it where there are rows to see. */
export function OrderSummary({ toggle, ...of }: OrderSummaryProps) {
  const seen = useOrderPreview(of.pick, of.file, of.sending)
  return (
    <span role="status">
      {summaryOf(seen)}
      {seen.state === 'seen' && hasRows(seen.preview) && <> {toggle}</>}
    </span>
  )
}

const hasRows = ({ recognised, errors }: Preview) =>
  recognised.length > 0 && errors.every(({ row }) => row > 0)

function summaryOf(seen: Previewed): React.ReactNode {
  if (seen.state === 'reading') return uploadTexts.reading
  if (seen.state === 'refused') return <span className={classes.bad}>{texts.refused}</span>
  if (seen.state === 'failed') return texts.failed
  const { recognised, total, skipped, errors } = seen.preview
  if (errors.some(({ row }) => row === 0)) return <span className={classes.bad}>{texts.unreadable}</span>
  if (recognised.length === 0) return texts.noOrders
  return (
    <>
      {texts.orders(total - skipped)}
      {skipped > 0 && (
        <>
          , <span className={classes.bad}>{texts.faulty(skipped)}</span>
        </>
      )}
      .
    </>
  )
}

/** The first rows of an order file as they would be taken, and why others would not; fills the place it is given. */
export function OrderPreview({ pick, file, sending }: OrderPreviewProps) {
  const seen = useOrderPreview(pick, file, sending)
  return insideOf(seen)
}

function insideOf(seen: Previewed): React.ReactNode {
  if (seen.state === 'reading') return <Skeleton height="100%" />
  if (seen.state === 'refused') return <Words text={texts.reason(seen.reason)} />
  if (seen.state === 'failed') return <Words text={texts.failed} />
  const { preview } = seen
  const unread = preview.errors.find(({ row }) => row === 0)
  if (unread) return <Words text={texts.reason(unread.message)} />
  if (preview.recognised.length === 0) return <Words text={texts.noOrdersHint} />
  if (preview.total === 0) return <Words text={texts.empty} />
  return <PreviewTable preview={preview} />
}

function Words({ text }: { text: string }) {
  return (
    <div className={classes.words}>
      <EmptyState text={text} />
    </div>
  )
}
