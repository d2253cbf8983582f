import { lazy, type ComponentType } from 'react'
import type { OrderPreviewProps, OrderSummaryProps } from './order-preview.tsx'

const importPreview = () => import('./order-preview.tsx')

// Loaded with the first picked file. Without the code an upload still works.
const EmptyPreview = () => null

export const LazyOrderSummary = lazy(async (): Promise<{ default: ComponentType<OrderSummaryProps> }> => {
  const module = await importPreview().catch(() => null)
  return { default: module?.OrderSummary ?? EmptyPreview }
})

export const LazyOrderPreview = lazy(async (): Promise<{ default: ComponentType<OrderPreviewProps> }> => {
  const module = await importPreview().catch(() => null)
  return { default: module?.OrderPreviewPanel ?? EmptyPreview }
})
