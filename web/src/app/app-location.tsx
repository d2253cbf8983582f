import { useMemo } from 'react'
import { Outlet, useLocation, useNavigate, useRouter } from '@tanstack/react-router'
import { PageLocationContext, type PageLocation } from '../lib/page-location.ts'

/** Gives the public pages their location by the router of the app. */
export function AppLocation() {
  const href = useLocation({ select: ({ publicHref }) => publicHref })
  const navigate = useNavigate()
  const router = useRouter()
  const location = useMemo<PageLocation>(
    () => ({
      url: new URL(href, window.location.origin),
      navigate: (to, options) => navigate({ to, ...options }),
      preload: (to) => void router.preloadRoute({ to }).catch(() => undefined),
    }),
    [href, navigate, router],
  )
  return (
    <PageLocationContext value={location}>
      <Outlet />
    </PageLocationContext>
  )
}
