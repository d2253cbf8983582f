import type { ReactNode } from 'react'
import type { Call } from '@karvon/contract/lib/call.ts'
import { useAreSettingsKnown, useFeature } from '../lib/settings.store.ts'

/** Shows its children only where the host announces the feature. */
export function WithFeature({ feature, children }: { feature: Call['feature']; children: ReactNode }) {
  return useFeature(feature) && children
}

/** {@link WithFeature} that reserves its space until the settings are known, so that a toolbar does not move. */
export function WithFeatureSpace({ feature, children }: { feature: Call['feature']; children: ReactNode }) {
  const areSettingsKnown = useAreSettingsKnown()
  const isShown = useFeature(feature)
  if (isShown || areSettingsKnown) return isShown && children
  return <div style={{ visibility: 'hidden' }}>{children}</div>
}
