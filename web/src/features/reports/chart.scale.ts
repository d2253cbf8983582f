/**
 * The size of a drawing, in units that the style sheet scales to the width of the page and to `heightRem`. `base`
 * is the place of the value 0.
 */
export const drawing = { width: 1180, height: 236, base: 214, heightRem: 21.4 } as const

/** The most steps of a value axis. */
export const maxTickSteps = 4

/** The places of columns that divide the width. */
export interface ColumnScale {
  readonly step: number
  readonly getMiddle: (index: number) => number
  /** The middle as a CSS length from the left. */
  readonly getMiddleLeft: (index: number) => string
}

export function createColumnScale(count: number): ColumnScale {
  const step = drawing.width / count
  const getMiddle = (index: number) => index * step + step / 2
  return { step, getMiddle, getMiddleLeft: (index) => `${(getMiddle(index) / drawing.width) * 100}%` }
}

/** The places of the values from 0 to `max`, whose length is `height`. */
export interface ValueScale {
  readonly getLength: (value: number) => number
  readonly getY: (value: number) => number
  /** The place of a value as a CSS length from the top. */
  readonly getTop: (value: number) => string
}

export function createValueScale(max: number, height: number): ValueScale {
  const getLength = (value: number) => (value / max) * height
  const getY = (value: number) => drawing.base - getLength(value)
  return { getLength, getY, getTop: (value) => `${(getY(value) / drawing.height) * drawing.heightRem}rem` }
}
