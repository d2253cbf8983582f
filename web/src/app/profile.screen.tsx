import { lazy, Suspense } from 'react'
import { ProfilePage } from '../auth/profile.page.tsx'
import { useNeedsSecondFactor } from '../auth/second-factor.required.hook.ts'
import { useSettings } from '../kit/settings.store.ts'

const SecondFactorCard = lazy(async () => ({
  default: (await import('../auth/second-factor.card.tsx')).SecondFactorCard,
}))

const TelegramCard = lazy(async () => ({
  default: (await import('../notices/telegram.card.tsx')).TelegramCard,
}))

/** Own details, and what of the rest this installation has: a second factor, a bot. */
export function ProfileScreen() {
  const { telegram, second_factor: secondFactor } = useSettings()
  const restricted = useNeedsSecondFactor()
  return (
    <ProfilePage>
      {secondFactor && (
        <Suspense>
          <SecondFactorCard />
        </Suspense>
      )}
      {telegram && !restricted && (
        <Suspense>
          <TelegramCard />
        </Suspense>
      )}
    </ProfilePage>
  )
}
