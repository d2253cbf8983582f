import type { ReactNode } from 'react'
import type { Call } from '@karvon/contract/lib/call.ts'
import { useFeature } from '../lib/settings.store.ts'

/** Shows its children only where the host announces the feature. */
export function WithFeature({ feature, children }: { feature: Call['feature']; children: ReactNode }) {
  return useFeature(feature) && children
}
