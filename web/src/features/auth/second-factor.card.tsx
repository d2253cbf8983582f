import { lazy, Suspense, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { getProfile } from '@karvon/contract/auth/auth.ts'
import { Button } from '../../components/actions/button.tsx'
import { Badge } from '../../components/display/badge.tsx'
import { Card } from '../../components/display/card.tsx'
import { ErrorState } from '../../components/display/empty-state.tsx'
import { Skeleton } from '../../components/display/skeleton.tsx'
import { Modal } from '../../components/overlay/modal.tsx'
import { getErrorMessage, send } from '../../lib/http.ts'
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

/** The own second factor: its state, the number of recovery codes left, and the actions. */
export function SecondFactorCard() {
  const [openStep, setOpenStep] = useState<keyof typeof Steps | null>(null)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: queryKeys.profile,
    queryFn: ({ signal }) => send(getProfile, { signal }),
  })
  const close = () => setOpenStep(null)
  const Step = openStep && Steps[openStep]
  return (
    <Card
      title={texts.title}
      className={classes.card}
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
      {data && (
        <>
          {needsSecondFactor(data) && <p className={classes.required}>{texts.required}</p>}
          <p className={classes.words}>
            {data.second_factor ? texts.left({ count: data.recovery_codes_left }) : texts.what}{' '}
            {data.second_factor && data.recovery_codes_left < lowCodeCount && texts.few}
          </p>
          <div className={classes.buttons}>
            {data.second_factor ? (
              <>
                <Button onClick={() => setOpenStep('renew')}>{texts.renew}</Button>
                {!data.second_factor_required && (
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
      {!data && error && !isFetching && (
        <ErrorState
          failure={{ message: texts.loadFailed, reason: getErrorMessage(error) }}
          onRetry={() => void refetch()}
        />
      )}
      {!data && isFetching && <Skeleton height={66} />}
      <Modal opened={openStep !== null} title={getTitle(openStep)} onClose={close} width={480}>
        <Suspense fallback={<Skeleton height={120} />}>{Step && <Step onDone={close} />}</Suspense>
      </Modal>
    </Card>
  )
}

const getTitle = (openStep: keyof typeof Steps | null): string =>
  openStep === 'turnOff' ? texts.turnOff : openStep === 'renew' ? texts.renew : texts.title
