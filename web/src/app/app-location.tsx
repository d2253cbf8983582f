import { useMemo } from 'react'
import { Outlet, useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { useDialogs } from '../components/overlay/dialogs.tsx'
import { PageLocationContext, type PageLocation } from '../lib/page-location.ts'

/** Gives the public pages their location by the router of the app. */
export function AppLocation() {
  const href = useLocation({ select: ({ publicHref }) => publicHref })
  const navigate = useNavigate()
  const router = useRouter()
  const { confirm } = useDialogs()
  const location = useMemo<PageLocation>(
    () => ({
      url: new URL(href, window.location.origin),
      navigate: (to, options) => navigate({ to, ...options }),
      preload: (to) => void router.preloadRoute({ to }).catch(() => undefined),
      askBeforeLeaving: () => {
        const question = import('./leave-question.ts').then(
          (it) => it.askBeforeLeaving(router, confirm),
          // Without the code no question comes.
          () => undefined,
        )
        return () => void question.then((end) => end?.())
      },
    }),
    [href, navigate, router, confirm],
  )
  return (
    <PageLocationContext value={location}>
      <Outlet />
    </PageLocationContext>
  )
}
