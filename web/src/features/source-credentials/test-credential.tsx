import { useId } from 'react'
import { useMutation } from '@tanstack/react-query'
import { cpaWebsites, tryCpaWebsite } from '@karvon/contract/cpa-websites/cpa-websites.ts'
import { resourceCalls } from '@karvon/contract/lib/resource-calls.ts'
import type { ReceivedRow } from '@karvon/contract/lib/received.ts'
import { Button } from '../../components/actions/button.tsx'
import { getErrorMessage, send } from '../../lib/http.ts'
import { useFocusAfterBusy } from '../../components/focus-after-busy.hook.ts'
import { readList } from '../../lib/list.result.ts'
import classes from '../connectors/try.module.css'
import { TryResults } from '../connectors/try-results.tsx'
import { testTexts as texts } from './source-credentials.texts.ts'

/** Milliseconds that the test may take. The server's own limit is a little lower. */
const timeoutMs = 65_000

/** Tests a saved source credential: signs in and shows what a sync would fetch. It stores nothing. */
export function TestCredential({ credential }: { credential: ReceivedRow<{ source_id: number }> }) {
  const id = useId()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async () => {
      const website = await findWebsite(credential.source_id)
      if (website === undefined) throw new Error(texts.noWebsite)
      const body = { source_credential_id: credential.id }
      return send(tryCpaWebsite, { params: { id: website }, body, timeoutMs })
    },
  })
  const button = useFocusAfterBusy(isPending)
  return (
    <section className={classes.try} aria-labelledby={id}>
      <h3 id={id}>{texts.title}</h3>
      <p>{texts.hint}</p>
      <div>
        <Button ref={button} loading={isPending} loadingText={texts.running} onClick={() => mutate()}>
          {texts.run}
        </Button>
      </div>
      <div aria-live="polite" className={classes.answer}>
        {error && !isPending && (
          <div className={classes.failed}>
            <p>{texts.failed}</p>
            <p>{getErrorMessage(error)}</p>
          </div>
        )}
        {data && !isPending && <TryResults answer={data} />}
      </div>
    </section>
  )
}

/** The CPA credential by which a source is synced: the oldest that names a connector. */
async function findWebsite(sourceId: number | null | undefined): Promise<number | undefined> {
  const query = { page: 1, per_page: 200, sort: 'id', cpa_source_id: sourceId }
  const answer = await send(resourceCalls(cpaWebsites).list, { query })
  const { items } = readList<{ id: number; connector: string | null }>(answer)
  return items.find(({ connector }) => connector)?.id
}
