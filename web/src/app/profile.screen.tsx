import { lazy } from 'react'
import { LazyPart } from '../components/lazy-part.tsx'
import { ProfilePage } from '../features/auth/profile.page.tsx'
import { useNeedsSecondFactor } from '../features/auth/second-factor.required.hook.ts'
import { useSettings } from '../lib/settings.store.ts'

const SecondFactorCard = lazy(async () => ({
  default: (await import('../features/auth/second-factor.card.tsx')).SecondFactorCard,
}))

const TelegramCard = lazy(async () => ({
  default: (await import('../features/notices/telegram.card.tsx')).TelegramCard,
}))

/** The own details and, where the host announces them, the second factor and the Telegram chat. */
export function ProfileScreen() {
  const { telegram, second_factor: secondFactor } = useSettings()
  const isRestricted = useNeedsSecondFactor()
  return (
    <ProfilePage>
      {secondFactor && (
        <LazyPart>
          <SecondFactorCard />
        </LazyPart>
      )}
      {telegram && !isRestricted && (
        <LazyPart>
          <TelegramCard />
        </LazyPart>
      )}
    </ProfilePage>
  )
}
