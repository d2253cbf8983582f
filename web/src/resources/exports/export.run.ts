import type { Call } from '@karvon/contract/lib/call.ts'
import type { FileFormat } from '@karvon/contract/lib/format.ts'
import type { Toasts } from '../../components/overlay/toasts.tsx'
import type { ExportTexts } from './export.texts.ts'
import { download } from '../../lib/http.download.ts'
import type { QueryValue } from '../../lib/http.ts'
import { saveFile } from '../../lib/save-file.ts'
import { sessionWork } from '../../lib/session.work.ts'

interface Export {
  readonly call: Call
  readonly query: Readonly<Record<string, QueryValue>>
  readonly name: string
  readonly format: FileFormat
  readonly texts: ExportTexts
  readonly toasts: Toasts
  readonly reason: (error: unknown) => string
}

/** All rows, whatever page is shown. */
const unpaged = { page: undefined, per_page: undefined, limit: undefined, skip: undefined }

/** Downloads a list as a file, told by a toast that can cancel it, while its person goes on with anything else. */
export async function runExport({ call, query, name, format, texts, toasts, reason }: Export): Promise<void> {
  const plain = `${name}.${format}`
  const { signal, abort, end } = sessionWork()
  const toast = toasts.work({ title: texts.running(plain), action: texts.cancel, onAction: abort })
  try {
    const file = await download(call, {
      query: { ...query, ...unpaged, format },
      signal,
      onBytes: (bytes) => toast.say(texts.soFar(texts.size(bytes))),
    })
    saveFile(file.name ?? plain, file.content)
    toasts.show({ title: texts.done, text: `${file.name ?? plain}, ${texts.size(file.content.size)}` })
  } catch (error) {
    if (!signal.aborted) toasts.show({ title: texts.failed, text: reason(error), tone: 'danger' })
  } finally {
    toast.end()
    end()
  }
}
