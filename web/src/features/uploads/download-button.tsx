import { useMutation } from '@tanstack/react-query'
import { uploadContent, type Upload } from '@karvon/contract/uploads/uploads.ts'
import { Button } from '../../components/actions/button.tsx'
import { DownloadIcon } from '../../components/actions/icons.tsx'
import { useDialogs } from '../../components/overlay/dialogs.tsx'
import cells from '../../lib/cells.module.css'
import { download } from '../../lib/http.download.ts'
import { getErrorMessage } from '../../lib/http.ts'
import { useFocusAfterBusy } from '../../components/focus-after-busy.hook.ts'
import { saveFile } from '../../lib/file.save.ts'
import { queueTexts as texts } from './uploads.texts.ts'

/** Downloads the uploaded file. A button, not a link, because the call needs the session's token. */
export function DownloadButton({ uploadedFile }: { uploadedFile: Upload }) {
  const dialogs = useDialogs()
  const { mutate, isPending } = useMutation({
    mutationFn: () => download(uploadContent, { params: { id: uploadedFile.id } }),
    onSuccess: ({ name, content }) => saveFile(name ?? uploadedFile.name, content),
    onError: (error) => dialogs.alert(texts.downloadFailed, getErrorMessage(error)),
  })
  const button = useFocusAfterBusy(isPending)
  return (
    <Button
      ref={button}
      className={cells.inRow}
      icon={<DownloadIcon size={15} />}
      loading={isPending}
      loadingText={texts.downloading}
      onClick={() => mutate()}
    >
      {texts.download}
      <span className="visually-hidden">{uploadedFile.name}</span>
    </Button>
  )
}
