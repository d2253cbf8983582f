import type { Call } from '@karvon/contract/lib/call.ts'
import { fileFormats, type FileFormat } from '@karvon/contract/lib/format.ts'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { download } from '../../lib/http.download.ts'
import { useErrorMessage } from '../error-message.ts'
import { saveFile } from '../../lib/file.save.ts'
import type { ImportTexts } from './import.texts.ts'
import classes from './imports.module.css'

type TemplateLinksProps = {
  call: Call
  /** The file's name without its extension, where the server gives none. */
  name: string
  texts: Pick<ImportTexts, 'template' | 'kinds' | 'templateFailed'>
}

/** Downloads the template in each format. Buttons, not links, because the call needs the session's token. */
export function TemplateLinks({ call, name, texts }: TemplateLinksProps) {
  const toasts = useToasts()
  const reason = useErrorMessage()
  const get = async (format: FileFormat) => {
    try {
      const file = await download(call, { query: { format } })
      saveFile(file.name ?? `${name}.${format}`, file.content)
    } catch (error) {
      toasts.show({ title: texts.templateFailed, text: reason(error), tone: 'danger' })
    }
  }
  return (
    <p className={classes.note}>
      {texts.template}
      {fileFormats.map((format) => (
        <button key={format} type="button" className={classes.link} onClick={() => void get(format)}>
          {texts.kinds[format]}
        </button>
      ))}
    </p>
  )
}
