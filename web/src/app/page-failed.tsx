import { Button } from '../components/actions/button.tsx'
import { ErrorState } from '../components/display/empty-state.tsx'
import { getErrorMessage } from '../lib/http.ts'
import { appTexts } from './app.texts.ts'

/** The last resort: an error while a page is drawn or its code loads. */
export function PageFailed({ error }: { error: unknown }) {
  return (
    <>
      <ErrorState failure={{ message: appTexts.pageFailed, reason: getErrorMessage(error) }} />
      <Button onClick={() => window.location.reload()}>{appTexts.reload}</Button>
    </>
  )
}
