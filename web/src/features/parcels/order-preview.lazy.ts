import { lazy, type ComponentType } from 'react'
import type { OrderPreviewProps, OrderSummaryProps } from './order-preview.tsx'

const fetched = () => import('./order-preview.tsx')

// Fetched with the first file that is picked. Nobody is kept from sending one because this did not come.
const Nothing = () => null

export const OrderSummary = lazy(async (): Promise<{ default: ComponentType<OrderSummaryProps> }> => {
  const found = await fetched().catch(() => null)
  return { default: found?.OrderSummary ?? Nothing }
})

export const OrderPreview = lazy(async (): Promise<{ default: ComponentType<OrderPreviewProps> }> => {
  const found = await fetched().catch(() => null)
  return { default: found?.OrderPreview ?? Nothing }
})
