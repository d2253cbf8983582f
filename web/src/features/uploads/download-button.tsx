import { uploadContent, type Upload } from '@karvon/contract/uploads/uploads.ts'
import { DownloadIcon } from '../../components/actions/icons.tsx'
import { saveFile } from '../../lib/file.save.ts'
import { download } from '../../lib/http.download.ts'
import { ActionButton } from '../../resources/action-button.tsx'
import { queueTexts as texts } from './uploads.texts.ts'

/** Downloads the uploaded file. A button, not a link, because the call needs the session's token. */
export function DownloadButton({ uploadedFile }: { uploadedFile: Upload }) {
  return (
    <ActionButton
      label={texts.download}
      loadingText={texts.downloading}
      failureText={texts.downloadFailed}
      name={uploadedFile.name}
      icon={<DownloadIcon size={15} />}
      inRow
      run={() => download(uploadContent, { params: { id: uploadedFile.id } })}
      onSuccess={({ name, content }) => saveFile(name ?? uploadedFile.name, content)}
    />
  )
}
