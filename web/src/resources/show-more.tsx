import { Button } from '../components/actions/button.tsx'
import { useFocusAfterBusy } from '../components/focus-after-busy.hook.ts'
import classes from './show-more.module.css'

type ShowMoreProps = {
  history: { hasMore: boolean; isLoading: boolean; error: Error | null; showMore: () => void }
  /** How many rows of how many are shown. */
  shown: string
  texts: { more: string; loading: string; failed: string }
}

/** Shows that a history has more rows, with a button that loads the next page. */
export function ShowMore({ history, shown, texts }: ShowMoreProps) {
  const button = useFocusAfterBusy(history.isLoading)
  if (!history.hasMore) return null
  return (
    <div className={classes.more}>
      <p role="status">{history.error && !history.isLoading ? texts.failed : shown}</p>
      <Button ref={button} loading={history.isLoading} loadingText={texts.loading} onClick={history.showMore}>
        {texts.more}
      </Button>
    </div>
  )
}
