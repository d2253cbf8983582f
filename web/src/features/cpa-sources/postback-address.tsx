import { useId } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { cpaSources, rotatePostbackKey } from '@karvon/contract/cpa-sources/cpa-sources.ts'
import { receivePostback } from '@karvon/contract/postbacks/postbacks.ts'
import { Button } from '../../components/actions/button.tsx'
import { RefreshIcon } from '../../components/actions/icons.tsx'
import { useDialogs } from '../../components/overlay/dialogs.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { useCopy } from '../../components/copy.hook.ts'
import { reasonOf, requestOf, send } from '../../lib/http.ts'
import { useKeptFocus } from '../../components/kept-focus.hook.ts'
import classes from './cpa-sources.module.css'
import { sourceTexts as texts } from './cpa-sources.texts.ts'

type Source = { id: number; postback_key: string }

/** Where a network sends this source's leads, whole: it is pasted into the network's own settings. */
const addressOf = (key: string): string =>
  new URL(requestOf(receivePostback, { params: { source_key: key } }).address, window.location.href).href

/** The address that a source's network sends postbacks to, and a new key for it. */
export function PostbackAddress({ of }: { of: Source }) {
  const client = useQueryClient()
  const dialogs = useDialogs()
  const toasts = useToasts()
  const id = useId()
  const { shown, copy } = useCopy<HTMLElement>(texts)
  const address = addressOf(of.postback_key)

  const { mutate, isPending } = useMutation({
    mutationFn: () => send(rotatePostbackKey, { params: { id: of.id } }),
    onSuccess: (now) => {
      // Into the row of the open form, which must not start again.
      client.setQueryData<Source>(
        ['resource', cpaSources.name, 'row', of.id],
        (row) => row && { ...row, postback_key: (now as Source).postback_key },
      )
      toasts.show({ title: texts.rotated, text: texts.next })
    },
    onError: (error) => dialogs.alert(texts.failed, reasonOf(error)),
  })
  const button = useKeptFocus(isPending)
  const rotate = async () => {
    const options = { danger: true, confirmLabel: texts.rotate, reason: texts.consequence }
    if (await dialogs.confirm(texts.confirm, options)) mutate()
  }
  return (
    <section className={classes.postbacks} aria-labelledby={id}>
      <h3 id={id}>{texts.address}</h3>
      <code ref={shown} className="mono">
        {address}
      </code>
      <p>{texts.hint}</p>
      <div className={classes.buttons}>
        <Button onClick={() => void copy(address)}>{texts.copy}</Button>
        <Button
          ref={button}
          icon={<RefreshIcon size={17} />}
          loading={isPending}
          loadingText={texts.rotating}
          onClick={() => void rotate()}
        >
          {texts.rotate}
        </Button>
      </div>
    </section>
  )
}
