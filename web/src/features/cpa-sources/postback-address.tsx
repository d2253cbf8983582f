import { useId } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { cpaSources, rotatePostbackKey } from '@karvon/contract/cpa-sources/cpa-sources.ts'
import { receivePostback } from '@karvon/contract/postbacks/postbacks.ts'
import { Button } from '../../components/actions/button.tsx'
import { RefreshIcon } from '../../components/actions/icons.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { useCopy } from '../../components/copy.hook.ts'
import { buildRequest, send } from '../../lib/http.ts'
import { ActionButton } from '../../resources/action-button.tsx'
import classes from './cpa-sources.module.css'
import { sourceTexts as texts } from './cpa-sources.texts.ts'
import { queryKeys } from '../../lib/query-keys.ts'

type Source = { id: number; postback_key: string }

/**
 * The full address to which a network sends the postbacks of this source. People paste it into the network's
 * settings.
 */
const getPostbackAddress = (key: string): string =>
  new URL(buildRequest(receivePostback, { params: { source_key: key } }).address, window.location.href).href

/** The postback address of a source, with a button that replaces its key. */
export function PostbackAddress({ source }: { source: Source }) {
  const client = useQueryClient()
  const toasts = useToasts()
  const id = useId()
  const { textRef, copy } = useCopy<HTMLElement>(texts)
  const address = getPostbackAddress(source.postback_key)

  return (
    <section className={classes.postbacks} aria-labelledby={id}>
      <h3 id={id}>{texts.address}</h3>
      <code ref={textRef} className="mono">
        {address}
      </code>
      <p>{texts.hint}</p>
      <div className={classes.buttons}>
        <Button onClick={() => void copy(address)}>{texts.copy}</Button>
        <ActionButton
          label={texts.rotate}
          loadingText={texts.rotating}
          failureText={texts.failed}
          icon={<RefreshIcon size={17} />}
          question={{ text: texts.confirm, reason: texts.consequence, danger: true }}
          run={() => send(rotatePostbackKey, { params: { id: source.id } })}
          onSuccess={(updatedSource) => {
            // Updates the row in the cache, because a reload would reset the open form.
            client.setQueryData<Source>(
              queryKeys.resourceRow(cpaSources.name, source.id),
              (row) => row && { ...row, postback_key: (updatedSource as Source).postback_key },
            )
            toasts.show({ title: texts.rotated, text: texts.next })
          }}
        />
      </div>
    </section>
  )
}
