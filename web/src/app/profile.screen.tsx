import { lazy, Suspense } from 'react'
import { ProfilePage } from '../auth/profile.page.tsx'
import { useSettings } from '../kit/settings.query.ts'

const TelegramCard = lazy(async () => ({
  default: (await import('../notices/telegram.card.tsx')).TelegramCard,
}))

/** Own details, and where a bot is set up what it tells one. */
export function ProfileScreen() {
  const { telegram } = useSettings()
  return (
    <ProfilePage>
      {telegram && (
        <Suspense>
          <TelegramCard />
        </Suspense>
      )}
    </ProfilePage>
  )
}
