import { focusInvalidField } from '../../components/fields/max-length.ts'
import { maxUploadDescription } from '@karvon/contract/lib/limits.ts'
import { Suspense, useEffect, useEffectEvent, useId, useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReceivedOf } from '@karvon/contract/lib/call.ts'
import { uploadExtensions, uploadFile } from '@karvon/contract/uploads/uploads.ts'
import { Button } from '../../components/actions/button.tsx'
import { UploadIcon } from '../../components/actions/icons.tsx'
import { Card } from '../../components/display/card.tsx'
import { FileField } from '../../components/fields/file-field.tsx'
import { TextArea } from '../../components/fields/text-area.tsx'
import { useFocusAfterBusy } from '../../components/focus-after-busy.hook.ts'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { defaultTimeoutMs, HttpError } from '../../lib/http.ts'
import { upload } from '../../lib/http.upload.ts'
import { ImportReportView, type FileReport } from '../../resources/imports/import-report.tsx'
import { getRussianErrorMessage } from '../../resources/russian-errors.ts'
import { getSettings, useSettings } from '../../lib/settings.store.ts'
import classes from './parcels.module.css'
import { LazyOrderPreview, LazyOrderSummary } from './order-preview.lazy.ts'
import { parcelImportTexts, uploadTexts as texts } from './parcels.texts.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useDraftText } from '../../lib/session.draft.hook.ts'

/** A file with a header row only, so that an unchanged template creates no parcel. */
const templateUrl = `${import.meta.env.BASE_URL}order-template.xlsx`

const isSpreadsheet = ({ name }: File) => /\.xlsx?$/i.test(name)

/** The specified text. Where the host sends queued files later, the text says that, too. */
function formatNotSentText(message: string | null | undefined): string {
  const text = texts.notSent + (message || texts.noReason)
  const { telegram_queue: hasQueue, telegram } = getSettings()
  if (!hasQueue) return text
  return `${text.replace(/\.$/, '')}. ${telegram ? texts.sentLater : texts.sentOnceSetUp}`
}

/** The row counts of an order file. Null where the host does not count. */
function readRowCounts({ imported, skipped, errors }: ReceivedOf<typeof uploadFile>): FileReport | null {
  if (typeof imported !== 'number' && typeof skipped !== 'number') return null
  return {
    imported: imported ?? undefined,
    skipped: skipped ?? undefined,
    errors: errors?.map(({ row, field, message, code }) => ({
      row: row ?? 0,
      field: field ?? '',
      message: message ?? '',
      code: code ?? '',
    })),
  }
}

/** The panel for uploading an order file or a document with a comment. */
export function UploadPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const client = useQueryClient()
  const toasts = useToasts()
  const { text: comment, setText: setComment, isRestored } = useDraftText({ name: 'upload', target: true })
  const [file, setFile] = useState<File | null>(null)
  const [sentPart, setSentPart] = useState(0)
  const [pickNumber, setPickNumber] = useState(0)
  const [rowsShown, setRowsShown] = useState(true)
  const rowsId = useId()
  const [report, setReport] = useState<(FileReport & { file: string }) | null>(null)

  const { mutate, isPending } = useMutation({
    // The upload needs the whole bandwidth.
    onMutate: () => {
      setSentPart(0)
      void client.cancelQueries({ queryKey: queryKeys.orderPreviews })
    },
    mutationFn: (chosenFile: File) => {
      const form = new FormData()
      form.set('file', chosenFile)
      if (comment.trim() !== '') form.set('description', comment.trim())
      return upload(uploadFile, {
        body: form,
        onProgress: (sentBytes, totalBytes) => setSentPart(sentBytes / totalBytes),
        silenceMs: defaultTimeoutMs,
      })
    },
    onSuccess: async (answer, { name }) => {
      if (answer.sent_to_telegram) toasts.show({ title: texts.success, text: texts.sent })
      else toasts.show({ title: texts.failure, text: formatNotSentText(answer.message), tone: 'danger' })
      setFile(null)
      setComment('')
      const counts = readRowCounts(answer)
      setReport(counts && { file: name, ...counts })
      if (!counts && answer.sent_to_telegram) onClose()
      await client.invalidateQueries({ queryKey: queryKeys.parcels })
    },
    onError: (error) => {
      const hasDetail = error instanceof HttpError && error.detail !== undefined
      const text = hasDetail ? getRussianErrorMessage(error) : texts.failed
      toasts.show({ title: texts.failure, text, tone: 'danger' })
    },
  })

  const form = useFocusAfterBusy<HTMLFormElement>(isPending)
  const focusFile = useEffectEvent(() => {
    if (!isRestored) form.current?.querySelector<HTMLElement>('input[type=file]')?.focus()
  })
  // The panel is above its button, where Tab does not lead.
  useEffect(() => focusFile(), [])

  const choose = (chosenFile: File | null) => {
    setFile(chosenFile)
    setPickNumber(pickNumber + 1)
    setReport(null)
  }
  const previewedFile = useSettings().order_previews ? file : null
  const orderPreview = previewedFile &&
    isSpreadsheet(previewedFile) && { pick: pickNumber, file: previewedFile, sending: isPending }

  const submit = () => {
    if (file) mutate(file)
    else toasts.show({ title: texts.failure, text: texts.noFile, tone: 'danger' })
  }

  return (
    <div id={id}>
      <Card>
        <form
          ref={form}
          className={classes.upload}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            if (!isPending && !focusInvalidField(event.currentTarget)) submit()
          }}
        >
          <FileField
            label={texts.file}
            value={file}
            onChange={choose}
            accept={uploadExtensions}
            disabled={isPending}
          >
            <p className={classes.note} data-looked={previewedFile !== null || undefined}>
              {orderPreview ? (
                <Suspense fallback={texts.reading}>
                  <LazyOrderSummary
                    key={pickNumber}
                    {...orderPreview}
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
              ) : previewedFile ? (
                texts.document
              ) : (
                uploadExtensions.join(', ')
              )}{' '}
              ·{' '}
              <a href={templateUrl} download>
                {texts.template}
              </a>
            </p>
          </FileField>
          <TextArea
            label={texts.comment}
            hideLabel
            placeholder={texts.comment}
            rows={2}
            maxLength={maxUploadDescription}
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
        {orderPreview && rowsShown && (
          <div id={rowsId} className={classes.preview}>
            <Suspense>
              <LazyOrderPreview key={pickNumber} {...orderPreview} />
            </Suspense>
          </div>
        )}
        {isPending && (
          <progress
            className={classes.progress}
            aria-label={texts.loading}
            // The time until the answer is not known.
            value={sentPart < 1 ? sentPart : undefined}
          />
        )}
        {report && <ImportReportView report={report} file={report.file} texts={parcelImportTexts.report} />}
      </Card>
    </div>
  )
}
