import type { Call } from '@karvon/contract/lib/call.ts'
import { fileFormats } from '@karvon/contract/lib/format.ts'
import { DownloadIcon } from '../../components/actions/icons.tsx'
import { Menu } from '../../components/actions/menu.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { exportTexts, type ExportTexts } from './export.texts.ts'
import type { QueryValue } from '../../lib/http.ts'
import { useErrorMessage } from '../error-message.ts'
import { WithFeatureSpace } from '../feature.tsx'

type ExportMenuProps = {
  /** The call of the list or report, and its current query. The page does not matter. */
  call: Call
  params?: Readonly<Record<string, string | number>> | undefined
  query: Readonly<Record<string, QueryValue>>
  /** The file's name without its extension, where the server gives none. */
  name: string
  texts?: ExportTexts
}

/** Exports all matching rows of a list or report as a file, in their order. */
export function ExportMenu({ call, params, query, name, texts = exportTexts }: ExportMenuProps) {
  const toasts = useToasts()
  const reason = useErrorMessage()
  return (
    <WithFeatureSpace feature="exports">
      <Menu
        label={texts.open}
        icon={<DownloadIcon size={17} />}
        items={fileFormats.map((format) => ({
          label: texts.kinds[format],
          onSelect: () =>
            void import('./export.run.ts').then(
              ({ runExport }) => runExport({ call, params, query, name, format, texts, toasts, reason }),
              (error: unknown) => toasts.show({ title: texts.failed, text: reason(error), tone: 'danger' }),
            ),
        }))}
      />
    </WithFeatureSpace>
  )
}
