import { useRef, useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReceivedOf } from '@karvon/contract/lib/call.ts'
import type { MessageParams } from '@karvon/contract/lib/message.ts'
import { uploadFile } from '@karvon/contract/uploads/uploads.ts'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { defaultTimeoutMs, HttpError } from '../../lib/http.ts'
import { upload } from '../../lib/http.upload.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { translateServerMessage } from '../../lib/server-messages.ts'
import { startSessionTask, type SessionTask } from '../../lib/session.task.ts'
import { getSettings } from '../../lib/settings.store.ts'
import type { FileReport } from '../../resources/imports/import-report.tsx'
import { getRussianErrorMessage } from '../../resources/russian-errors.ts'
import { describePreviewProblem } from './order-preview.problems.ts'
import { previewTexts } from './order-preview.texts.ts'
import { uploadTexts as texts } from './parcels.texts.ts'

/** Why the file was not sent, in the picked language. A host without codes answers a message alone. */
function translateReason({ message, code, params }: ReceivedOf<typeof uploadFile>): string {
  const reason = { message: message ?? '', code: code ?? undefined, params: (params ?? {}) as MessageParams }
  return translateServerMessage(reason) || texts.noReason
}

/** The specified text. Where the host sends queued files later, the text says that, too. */
function formatNotSentText(answer: ReceivedOf<typeof uploadFile>): string {
  const text = texts.notSent + translateReason(answer)
  const { telegram_queue: hasQueue, telegram } = getSettings()
  if (!hasQueue) return text
  return `${text.replace(/\.$/, '')}. ${telegram ? texts.sentLater : texts.sentOnceSetUp}`
}

/** The row counts of an order file, and its problems in the words of its preview. Null where the host does not count. */
function readRowCounts({ imported, skipped, errors }: ReceivedOf<typeof uploadFile>): FileReport | null {
  if (typeof imported !== 'number' && typeof skipped !== 'number') return null
  return {
    imported: imported ?? undefined,
    skipped: skipped ?? undefined,
    errors: errors?.map(({ row, field, message, code, params }) => ({
      row: row ?? 0,
      field: previewTexts.columns[field ?? ''] ?? field ?? '',
      message: describePreviewProblem({
        message: message ?? '',
        code: code ?? undefined,
        params: (params ?? {}) as MessageParams,
      }),
      code: '',
    })),
  }
}

interface UploadResult {
  readonly file: File
  /** What the file brought. Null where the host does not count its rows. */
  readonly report: FileReport | null
  readonly isSent: boolean
}

/**
 * Uploads a file with a comment, and says in a toast whether it was sent. `sentPart` is the part of its bytes that is sent.
 * `cancel` does nothing once all are sent, because the host may already have stored the file.
 */
export function useOrderUpload(comment: string, onUploaded: (result: UploadResult) => void) {
  const client = useQueryClient()
  const toasts = useToasts()
  const [sentPart, setSentPart] = useState(0)
  const task = useRef<SessionTask>(null)
  const { mutate, isPending } = useMutation({
    // The upload needs the whole bandwidth.
    onMutate: () => {
      setSentPart(0)
      void client.cancelQueries({ queryKey: queryKeys.orderPreviews })
    },
    mutationFn: async (file: File) => {
      const form = new FormData()
      form.set('file', file)
      if (comment.trim() !== '') form.set('description', comment.trim())
      // A change of the language or a reload would end it.
      const { signal, end } = (task.current = startSessionTask())
      try {
        return await upload(uploadFile, {
          body: form,
          onProgress: (sentBytes, totalBytes) => setSentPart(sentBytes / totalBytes),
          silenceMs: defaultTimeoutMs,
          signal,
        })
      } finally {
        end()
      }
    },
    onSuccess: async (answer, file) => {
      const isSent = answer.sent_to_telegram === true
      if (isSent) toasts.show({ title: texts.success, text: texts.sent })
      else toasts.show({ title: texts.failure, text: formatNotSentText(answer), tone: 'danger' })
      onUploaded({ file, report: readRowCounts(answer), isSent })
      await client.invalidateQueries({ queryKey: queryKeys.parcels })
    },
    onError: (error) => {
      if (task.current?.signal.aborted) return
      const hasDetail = error instanceof HttpError && error.detail !== undefined
      const text = hasDetail ? getRussianErrorMessage(error) : texts.failed
      toasts.show({ title: texts.failure, text, tone: 'danger' })
    },
  })
  const cancel = () => {
    if (sentPart < 1) task.current?.abort()
  }
  return { upload: mutate, isPending, sentPart, cancel }
}
