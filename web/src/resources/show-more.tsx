import { Button } from '../components/actions/button.tsx'
import { useKeptFocus } from '../components/kept-focus.hook.ts'
import classes from './show-more.module.css'

type ShowMoreProps = {
  of: { hasMore: boolean; isLoading: boolean; error: Error | null; showMore: () => void }
  /** How many of how many are shown. */
  shown: string
  texts: { more: string; loading: string; failed: string }
}

/** Says that a history is not all there, and loads the next page of it. */
export function ShowMore({ of, shown, texts }: ShowMoreProps) {
  const button = useKeptFocus(of.isLoading)
  if (!of.hasMore) return null
  return (
    <div className={classes.more}>
      <p role="status">{of.error && !of.isLoading ? texts.failed : shown}</p>
      <Button ref={button} loading={of.isLoading} loadingText={texts.loading} onClick={of.showMore}>
        {texts.more}
      </Button>
    </div>
  )
}
