import { lazy } from 'react'

/** Loads the code of the detail. The page calls it on the first pointer or focus on the list. */
export const loadParcelDetail = () => import('./parcel-detail.tsx')

/** Loads the code of the upload panel. The page calls it when the pointer or focus is on its button. */
export const loadUploadPanel = () => import('./upload-panel.tsx')

export const LazyParcelDetail = lazy(async () => ({ default: (await loadParcelDetail()).ParcelDetail }))
export const LazyUploadPanel = lazy(async () => ({ default: (await loadUploadPanel()).UploadPanel }))
