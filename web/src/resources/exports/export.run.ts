import type { Call } from '@karvon/contract/lib/call.ts'
import type { FileFormat } from '@karvon/contract/lib/format.ts'
import type { Toasts } from '../../components/overlay/toasts.tsx'
import { formatBytes } from '../../lib/format/number.format.ts'
import type { ExportTexts } from './export.texts.ts'
import { download } from '../../lib/http.download.ts'
import type { QueryValue } from '../../lib/http.ts'
import { saveFile } from '../../lib/file.save.ts'
import { startSessionTask } from '../../lib/session.task.ts'

interface ExportInput {
  readonly call: Call
  readonly params?: Readonly<Record<string, string | number>> | undefined
  readonly query: Readonly<Record<string, QueryValue>>
  readonly name: string
  readonly format: FileFormat
  readonly texts: ExportTexts
  readonly toasts: Toasts
  readonly reason: (error: unknown) => string
}

/** Removes the paging from a query. */
const noPaging = { page: undefined, per_page: undefined, limit: undefined, skip: undefined }

/** Downloads a list as a file in the background. A toast shows the progress and can cancel it. */
export async function runExport({
  call,
  params,
  query,
  name,
  format,
  texts,
  toasts,
  reason,
}: ExportInput): Promise<void> {
  const defaultName = `${name}.${format}`
  const { signal, abort, end } = startSessionTask()
  const toast = toasts.showProgress({
    title: texts.running({ file: defaultName }),
    action: texts.cancel,
    onAction: abort,
  })
  try {
    const file = await download(call, {
      ...(params && { params }),
      query: { ...query, ...noPaging, format },
      signal,
      onBytes: (bytes) => toast.update(texts.soFar({ size: formatBytes(bytes, texts.units) })),
    })
    saveFile(file.name ?? defaultName, file.content)
    toasts.show({
      title: texts.done,
      text: `${file.name ?? defaultName}, ${formatBytes(file.content.size, texts.units)}`,
    })
  } catch (error) {
    if (!signal.aborted) toasts.show({ title: texts.failed, text: reason(error), tone: 'danger' })
  } finally {
    toast.end()
    end()
  }
}
