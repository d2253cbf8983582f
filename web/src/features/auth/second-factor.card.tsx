import { lazy, useState } from 'react'
import { LazyPart } from '../../components/lazy-part.tsx'
import { useQuery } from '@tanstack/react-query'
import { getProfile } from '@karvon/contract/auth/auth.ts'
import { Button } from '../../components/actions/button.tsx'
import { Badge } from '../../components/display/badge.tsx'
import { Card } from '../../components/display/card.tsx'
import { Skeleton } from '../../components/display/skeleton.tsx'
import { Modal } from '../../components/overlay/modal.tsx'
import { send } from '../../lib/http.ts'
import { QueryContent } from '../../resources/query-content.tsx'
import classes from './second-factor.module.css'
import { needsSecondFactor } from './second-factor.required.hook.ts'
import { secondFactorTexts as texts } from './second-factor.texts.ts'
import { queryKeys } from '../../lib/query-keys.ts'

const importChange = () => import('./second-factor.change.tsx')
const Steps = {
  setUp: lazy(async () => ({ default: (await import('./second-factor.setup.tsx')).SetUpSecondFactor })),
  turnOff: lazy(async () => ({ default: (await importChange()).TurnOffSecondFactor })),
  renew: lazy(async () => ({ default: (await importChange()).RenewRecoveryCodes })),
}

/** The number of recovery codes below which the page suggests new ones. */
const lowCodeCount = 4

/** The person's second factor: its state, the number of recovery codes left, and the actions. */
export function SecondFactorCard() {
  const [openStep, setOpenStep] = useState<keyof typeof Steps | null>(null)
  const query = useQuery({
    queryKey: queryKeys.profile,
    queryFn: ({ signal }) => send(getProfile, { signal }),
  })
  const { data } = query
  const close = () => setOpenStep(null)
  const Step = openStep && Steps[openStep]
  return (
    <Card
      title={texts.title}
      wide
      aside={
        data && (
          <span role="status">
            <Badge tone={data.second_factor ? 'ok' : 'neutral'}>
              {data.second_factor ? texts.on : texts.off}
            </Badge>
          </span>
        )
      }
    >
      <QueryContent query={query} loadFailed={texts.loadFailed} placeholder={<Skeleton height={66} />}>
        {(profile) => (
          <>
            {needsSecondFactor(profile) && <p className={classes.required}>{texts.required}</p>}
            <p className={classes.words}>
              {profile.second_factor ? texts.left({ count: profile.recovery_codes_left }) : texts.what}{' '}
              {profile.second_factor && profile.recovery_codes_left < lowCodeCount && texts.few}
            </p>
            <div className={classes.buttons}>
              {profile.second_factor ? (
                <>
                  <Button onClick={() => setOpenStep('renew')}>{texts.renew}</Button>
                  {!profile.second_factor_required && (
                    <Button tone="danger" onClick={() => setOpenStep('turnOff')}>
                      {texts.turnOff}
                    </Button>
                  )}
                </>
              ) : (
                <Button tone="primary" onClick={() => setOpenStep('setUp')}>
                  {texts.setUp}
                </Button>
              )}
            </div>
          </>
        )}
      </QueryContent>
      <Modal opened={openStep !== null} title={getTitle(openStep)} onClose={close} width={480}>
        <LazyPart fallback={<Skeleton height={120} />}>{Step && <Step onDone={close} />}</LazyPart>
      </Modal>
    </Card>
  )
}

const getTitle = (openStep: keyof typeof Steps | null): string =>
  openStep === 'turnOff' ? texts.turnOff : openStep === 'renew' ? texts.renew : texts.title
