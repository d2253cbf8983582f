import { useMutation, useQueryClient } from '@tanstack/react-query'
import { retryUpload, uploadContent, type Upload } from '@karvon/contract/uploads/uploads.ts'
import { Button } from '../ui/actions/button.tsx'
import { DownloadIcon, RefreshIcon } from '../ui/actions/icons.tsx'
import { useDialogs } from '../ui/overlay/dialogs.tsx'
import { useToasts } from '../ui/overlay/toasts.tsx'
import cells from '../kit/cells.module.css'
import { download } from '../kit/http.download.ts'
import { reasonOf, send } from '../kit/http.ts'
import { useKeptFocus } from '../kit/kept-focus.hook.ts'
import { saveFile } from '../kit/save-file.ts'
import { queueTexts as texts } from './uploads.texts.ts'

/** Puts an upload first in the queue, a refused one once more. */
export function RetryButton({ of }: { of: Upload }) {
  const client = useQueryClient()
  const toasts = useToasts()
  const dialogs = useDialogs()
  const { mutate, isPending } = useMutation({
    mutationFn: () => send(retryUpload, { params: { id: of.id } }),
    onSuccess: async () => {
      toasts.show({ title: texts.retried, text: of.name })
      await client.invalidateQueries({ queryKey: ['uploads'] })
    },
    onError: (error) => dialogs.alert(texts.retryFailed, reasonOf(error)),
  })
  const button = useKeptFocus(isPending)
  return (
    <Button
      ref={button}
      className={cells.inRow}
      icon={<RefreshIcon size={15} />}
      loading={isPending}
      loadingText={texts.retrying}
      onClick={() => mutate()}
    >
      {texts.retry}
      <span className="visually-hidden">{of.name}</span>
    </Button>
  )
}

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
