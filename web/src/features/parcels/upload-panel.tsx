import { Suspense, useId, useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReceivedOf } from '@karvon/contract/lib/call.ts'
import { uploadExtensions, uploadFile } from '@karvon/contract/uploads/uploads.ts'
import { Button } from '../../components/actions/button.tsx'
import { UploadIcon } from '../../components/actions/icons.tsx'
import { Card } from '../../components/display/card.tsx'
import { FileField } from '../../components/fields/file-field.tsx'
import { TextArea } from '../../components/fields/text-area.tsx'
import { speak } from '../../lib/i18n/language.ts'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { HttpError, send } from '../../lib/http.ts'
import { ImportReport, type FileReport } from '../../resources/imports/import-report.tsx'
import { russianReason } from '../../resources/reason.tsx'
import { getSettings, useSettings } from '../../lib/settings.store.ts'
import classes from './parcels.module.css'
import { OrderPreview, OrderSummary } from './order-preview.lazy.ts'
import { previewKey } from './order-preview.query.ts'
import { importTexts, uploadTexts as texts } from './parcels.texts.ts'

/** Headings only, so that a template sent back untouched makes no parcel. */
const template = `${import.meta.env.BASE_URL}order-template.xlsx`

const isWorkbook = ({ name }: File) => /\.xlsx?$/i.test(name)

/** The specified text; where the host sends what is left by itself, that too. */
function notSentText(message: string | null | undefined): string {
  const said = texts.notSent + (message ? speak(message) : texts.noReason)
  const { telegram_queue: queued, telegram } = getSettings()
  if (!queued) return said
  return `${said.replace(/\.$/, '')}. ${telegram ? texts.sentLater : texts.sentOnceSetUp}`
}

/** What became of an order file's rows; null where the host does not count them. */
function countsOf({ imported, skipped, errors }: ReceivedOf<typeof uploadFile>): FileReport | null {
  if (typeof imported !== 'number' && typeof skipped !== 'number') return null
  return {
    imported: imported ?? undefined,
    skipped: skipped ?? undefined,
    errors: errors?.map(({ row, field, message }) => ({
      row: row ?? 0,
      field: field ?? '',
      message: message ?? '',
    })),
  }
}

/** The panel for uploading an order file or a document with a comment. */
export function UploadPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const client = useQueryClient()
  const toasts = useToasts()
  const [file, setFile] = useState<File | null>(null)
  const [comment, setComment] = useState('')
  const [pick, setPick] = useState(0)
  const [rowsShown, setRowsShown] = useState(true)
  const rowsId = useId()
  const [report, setReport] = useState<(FileReport & { file: string }) | null>(null)

  const { mutate, isPending } = useMutation({
    // The line is the upload's alone.
    onMutate: () => void client.cancelQueries({ queryKey: previewKey }),
    mutationFn: (chosen: File) => {
      const form = new FormData()
      form.set('file', chosen)
      if (comment.trim() !== '') form.set('description', comment.trim())
      return send(uploadFile, { body: form })
    },
    onSuccess: async (answer, { name }) => {
      if (answer.sent_to_telegram) toasts.show({ title: texts.success, text: texts.sent })
      else toasts.show({ title: texts.failure, text: notSentText(answer.message), tone: 'danger' })
      setFile(null)
      setComment('')
      const counts = countsOf(answer)
      setReport(counts && { file: name, ...counts })
      if (!counts && answer.sent_to_telegram) onClose()
      await client.invalidateQueries({ queryKey: ['parcels'] })
    },
    onError: (error) => {
      const hasDetail = error instanceof HttpError && error.detail !== undefined
      const text = hasDetail ? russianReason(error) : texts.failed
      toasts.show({ title: texts.failure, text, tone: 'danger' })
    },
  })

  const choose = (chosen: File | null) => {
    setFile(chosen)
    setPick(pick + 1)
    setReport(null)
  }
  const looked = useSettings().order_previews ? file : null
  const orders = looked && isWorkbook(looked) && { pick, file: looked, sending: isPending }

  const submit = () => {
    if (file) mutate(file)
    else toasts.show({ title: texts.failure, text: texts.noFile, tone: 'danger' })
  }

  return (
    <div id={id}>
      <Card>
        <form
          className={classes.upload}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            if (!isPending) submit()
          }}
        >
          <FileField
            label={texts.file}
            value={file}
            onChange={choose}
            accept={uploadExtensions}
            disabled={isPending}
          >
            <p className={classes.note} data-looked={looked !== null || undefined}>
              {orders ? (
                <Suspense fallback={texts.reading}>
                  <OrderSummary
                    key={pick}
                    {...orders}
                    toggle={
                      <button
                        type="button"
                        className={classes.link}
                        aria-expanded={rowsShown}
                        aria-controls={rowsShown ? rowsId : undefined}
                        onClick={() => setRowsShown(!rowsShown)}
                      >
                        {rowsShown ? texts.hideRows : texts.showRows}
                      </button>
                    }
                  />
                </Suspense>
              ) : looked ? (
                texts.document
              ) : (
                uploadExtensions.join(', ')
              )}{' '}
              ·{' '}
              <a href={template} download>
                {texts.template}
              </a>
            </p>
          </FileField>
          <TextArea
            label={texts.comment}
            hideLabel
            placeholder={texts.comment}
            rows={2}
            maxLength={1000}
            value={comment}
            onChange={setComment}
            disabled={isPending}
          />
          <div className={classes.buttons}>
            <Button onClick={onClose}>{texts.cancel}</Button>
            <Button
              type="submit"
              tone="primary"
              icon={<UploadIcon size={17} />}
              loading={isPending}
              loadingText={texts.loading}
            >
              {texts.submit}
            </Button>
          </div>
        </form>
        {orders && rowsShown && (
          <div id={rowsId} className={classes.preview}>
            <Suspense>
              <OrderPreview key={pick} {...orders} />
            </Suspense>
          </div>
        )}
        {isPending && <progress className={classes.progress} aria-label={texts.loading} />}
        {report && <ImportReport report={report} file={report.file} texts={importTexts.report} />}
      </Card>
    </div>
  )
}
