import { lazyOptional } from '../../components/lazy-optional.ts'

// Loaded with the first picked file. Without the code an upload still works.
const importPreview = () => import('./order-preview.tsx')

export const LazyOrderSummary = lazyOptional(async () => (await importPreview()).OrderSummary)
export const LazyOrderPreview = lazyOptional(async () => (await importPreview()).OrderPreviewPanel)
