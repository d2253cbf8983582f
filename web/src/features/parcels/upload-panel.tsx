import { focusInvalidField } from '../../components/fields/max-length.ts'
import { maxUploadDescription } from '@karvon/contract/lib/limits.ts'
import { Suspense, useEffect, useEffectEvent, useId, useState, type ReactNode } from 'react'
import { uploadExtensions } from '@karvon/contract/uploads/uploads.ts'
import { Button } from '../../components/actions/button.tsx'
import { UploadIcon } from '../../components/actions/icons.tsx'
import { Card } from '../../components/display/card.tsx'
import { FileField } from '../../components/fields/file-field.tsx'
import { TextArea } from '../../components/fields/text-area.tsx'
import { useFocusAfterBusy } from '../../components/focus-after-busy.hook.ts'
import { useDraftText } from '../../components/form/draft.hook.ts'
import { useLeaveQuestion } from '../../components/form/leave-question.ts'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { ImportReportView, type FileReport } from '../../resources/imports/import-report.tsx'
import { useSettings } from '../../lib/settings.store.ts'
import classes from './parcels.module.css'
import { LazyOrderPreview, LazyOrderSummary } from './order-preview.lazy.ts'
import { useOrderUpload } from './order-upload.hook.ts'
import { parcelImportTexts, uploadTexts as texts } from './parcels.texts.ts'

/** A file with a header row only, so that an unchanged template creates no parcel. */
const templateUrl = `${import.meta.env.BASE_URL}order-template.xlsx`

const isSpreadsheet = ({ name }: File) => /\.xlsx?$/i.test(name)

/** The panel for uploading an order file or a document with a comment. */
export function UploadPanel({ id, onClose }: { id: string; onClose: () => void }) {
  const toasts = useToasts()
  const { text: comment, setText: setComment, isRestored } = useDraftText({ name: 'upload', target: true })
  const [file, setFile] = useState<File | null>(null)
  const [pickNumber, setPickNumber] = useState(0)
  const [rowsShown, setRowsShown] = useState(true)
  const rowsId = useId()
  const [report, setReport] = useState<(FileReport & { file: string }) | null>(null)

  const { upload, isPending, sentPart, cancel } = useOrderUpload(comment, (result) => {
    setFile(null)
    setComment('')
    setReport(result.report && { file: result.file.name, ...result.report })
    if (!result.report && result.isSent) onClose()
  })
  // A running upload goes on without its page.
  useLeaveQuestion(file !== null && !isPending)
  const choose = (chosenFile: File | null) => {
    setFile(chosenFile)
    setPickNumber(pickNumber + 1)
    setReport(null)
  }
  const previewedFile = useSettings().order_previews ? file : null
  const orderPreview = previewedFile &&
    isSpreadsheet(previewedFile) && { pick: pickNumber, file: previewedFile, sending: isPending }
  const submit = () => {
    if (file) upload(file)
    else toasts.show({ title: texts.failure, text: texts.noFile, tone: 'danger' })
  }

  const rowsToggle = <RowsToggle shown={rowsShown} rowsId={rowsId} onClick={() => setRowsShown(!rowsShown)} />

  return (
    <div id={id}>
      <Card>
        <UploadForm isPending={isPending} focusesFile={!isRestored} onSubmit={submit}>
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
                  <LazyOrderSummary key={pickNumber} {...orderPreview} toggle={rowsToggle} />
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
          <UploadButtons
            isPending={isPending}
            onCancel={() => {
              cancel()
              onClose()
            }}
          />
        </UploadForm>
        {orderPreview && rowsShown && (
          <div id={rowsId} className={classes.preview}>
            <Suspense>
              <LazyOrderPreview key={pickNumber} {...orderPreview} />
            </Suspense>
          </div>
        )}
        {isPending && <UploadProgress sentPart={sentPart} />}
        {report && <ImportReportView report={report} file={report.file} texts={parcelImportTexts.report} />}
      </Card>
    </div>
  )
}

type UploadFormProps = {
  isPending: boolean
  /** The focus starts in the field of the file. */
  focusesFile: boolean
  onSubmit: () => void
  children: ReactNode
}

function UploadForm({ isPending, focusesFile, onSubmit, children }: UploadFormProps) {
  const form = useFocusAfterBusy<HTMLFormElement>(isPending)
  const focusFile = useEffectEvent(() => {
    if (focusesFile) form.current?.querySelector<HTMLElement>('input[type=file]')?.focus()
  })
  // The panel is above its button, where Tab does not lead.
  useEffect(() => focusFile(), [])
  return (
    <form
      ref={form}
      className={classes.upload}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!isPending && !focusInvalidField(event.currentTarget)) onSubmit()
      }}
    >
      {children}
    </form>
  )
}

/** Shows and hides the rows of the file. */
function RowsToggle({ shown, rowsId, onClick }: { shown: boolean; rowsId: string; onClick: () => void }) {
  return (
    <button
      type="button"
      className={classes.link}
      aria-expanded={shown}
      aria-controls={shown ? rowsId : undefined}
      onClick={onClick}
    >
      {shown ? texts.hideRows : texts.showRows}
    </button>
  )
}

function UploadButtons({ isPending, onCancel }: { isPending: boolean; onCancel: () => void }) {
  return (
    <div className={classes.buttons}>
      <Button onClick={onCancel}>{texts.cancel}</Button>
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
  )
}

function UploadProgress({ sentPart }: { sentPart: number }) {
  return (
    <progress
      className={classes.progress}
      aria-label={texts.loading}
      // The time until the answer is not known.
      value={sentPart < 1 ? sentPart : undefined}
    />
  )
}
