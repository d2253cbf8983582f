import { lazy, Suspense, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { getProfile } from '@karvon/contract/auth/auth.ts'
import { Button } from '../../components/actions/button.tsx'
import { Badge } from '../../components/display/badge.tsx'
import { Card } from '../../components/display/card.tsx'
import { ErrorState } from '../../components/display/empty-state.tsx'
import { Skeleton } from '../../components/display/skeleton.tsx'
import { Modal } from '../../components/overlay/modal.tsx'
import { reasonOf, send } from '../../lib/http.ts'
import classes from './second-factor.module.css'
import { needsSecondFactor } from './second-factor.required.hook.ts'
import { secondFactorTexts as texts } from './second-factor.texts.ts'

const change = () => import('./second-factor.change.tsx')
const Steps = {
  setUp: lazy(async () => ({ default: (await import('./second-factor.setup.tsx')).SetUp })),
  turnOff: lazy(async () => ({ default: (await change()).TurnOff })),
  renew: lazy(async () => ({ default: (await change()).Renew })),
}

/** Fewer than this, and it is time for new ones. */
const enough = 4

/** One's own second factor: on or off, how many recovery codes are left, and what can be done about it. */
export function SecondFactorCard() {
  const [asked, setAsked] = useState<keyof typeof Steps | null>(null)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['profile'],
    queryFn: ({ signal }) => send(getProfile, { signal }),
  })
  const close = () => setAsked(null)
  const Step = asked && Steps[asked]
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
            {data.second_factor ? texts.left(data.recovery_codes_left) : texts.what}{' '}
            {data.second_factor && data.recovery_codes_left < enough && texts.few}
          </p>
          <div className={classes.buttons}>
            {data.second_factor ? (
              <>
                <Button onClick={() => setAsked('renew')}>{texts.renew}</Button>
                {!data.second_factor_required && (
                  <Button tone="danger" onClick={() => setAsked('turnOff')}>
                    {texts.turnOff}
                  </Button>
                )}
              </>
            ) : (
              <Button tone="primary" onClick={() => setAsked('setUp')}>
                {texts.setUp}
              </Button>
            )}
          </div>
        </>
      )}
      {!data && error && !isFetching && (
        <ErrorState
          failure={{ message: texts.loadFailed, reason: reasonOf(error) }}
          onRetry={() => void refetch()}
        />
      )}
      {!data && isFetching && <Skeleton height={66} />}
      <Modal opened={asked !== null} title={titleOf(asked)} onClose={close} width={480}>
        <Suspense fallback={<Skeleton height={120} />}>{Step && <Step onDone={close} />}</Suspense>
      </Modal>
    </Card>
  )
}

const titleOf = (asked: keyof typeof Steps | null): string =>
  asked === 'turnOff' ? texts.turnOff : asked === 'renew' ? texts.renew : texts.title
