import type { ReactNode } from 'react'
import type { Call } from '@karvon/contract/lib/call.ts'
import { useFeature } from '../lib/settings.store.ts'

/** What stands on a screen only where the host announces a feature. */
export function WithFeature({ feature, children }: { feature: Call['feature']; children: ReactNode }) {
  return useFeature(feature) && children
}
