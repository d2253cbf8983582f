/**
 * The texts by which Explore groups leads and the list of leads filters. A lead may have none: a filter names such texts in
 * `without`.
 */
export const textDimensions = ['region', 'cancel_reason', 'sub1', 'sub2', 'sub3'] as const
export type TextDimension = (typeof textDimensions)[number]
