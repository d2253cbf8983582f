import { httpTexts } from '../lib/http.texts.ts'

const failUnreachable = () => {
  throw new Error(httpTexts.unreachable)
}

/**
 * Loads the code of a page. If a new version has replaced the code, the router reloads the page. Without a connection the
 * browser would show its own error page instead, and lose input and running tasks. So this error is of another kind.
 */
export const loadPageCode = <Code>(load: () => Promise<Code>): Promise<Code> =>
  load().catch(async (error: unknown) => {
    await fetch(import.meta.env.BASE_URL, { method: 'HEAD' }).catch(failUnreachable)
    throw error
  })
