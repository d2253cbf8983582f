import { useMutation } from '@tanstack/react-query'
import { uploadContent, type Upload } from '@karvon/contract/uploads/uploads.ts'
import { Button } from '../../components/actions/button.tsx'
import { DownloadIcon } from '../../components/actions/icons.tsx'
import { useDialogs } from '../../components/overlay/dialogs.tsx'
import cells from '../../lib/cells.module.css'
import { download } from '../../lib/http.download.ts'
import { reasonOf } from '../../lib/http.ts'
import { useKeptFocus } from '../../components/kept-focus.hook.ts'
import { saveFile } from '../../lib/save-file.ts'
import { queueTexts as texts } from './uploads.texts.ts'

/** The file as it was uploaded. A button, not a link: the call wants the session's token. */
export function DownloadButton({ of }: { of: Upload }) {
  const dialogs = useDialogs()
  const { mutate, isPending } = useMutation({
    mutationFn: () => download(uploadContent, { params: { id: of.id } }),
    onSuccess: ({ name, content }) => saveFile(name ?? of.name, content),
    onError: (error) => dialogs.alert(texts.downloadFailed, reasonOf(error)),
  })
  const button = useKeptFocus(isPending)
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
      <span className="visually-hidden">{of.name}</span>
    </Button>
  )
}
