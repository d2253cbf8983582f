import type { ReactNode } from 'react'
import classes from './skeleton.module.css'

/** A grey bar in place of text. Sizes are in pixels or any CSS length. */
export function Skeleton({
  width = '100%',
  height = 14,
}: {
  width?: number | string
  height?: number | string
}) {
  return <span className={classes.skeleton} style={{ width, height }} aria-hidden="true" />
}

/** A grey area of the size that `children` will have. The children are hidden and not focusable. */
export function SkeletonOf({ children }: { children: ReactNode }) {
  return (
    <div className={classes.area} aria-hidden="true" inert>
      {children}
    </div>
  )
}
