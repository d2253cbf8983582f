import type { Where } from '../../resources/lists.where.ts'
import {
  figureRowsText,
  figures,
  type Grouping,
  type LeadFilter,
  type Viewer,
} from '../rollups/rollups.queries.ts'

const sums = figures.map((each) => `sum(${each}) as ${each}`).join(', ')

/** One row per group of the filtered leads: `key` and the figures. */
export function groupedText(
  parameters: Where,
  { groupBy, filter, viewer }: { groupBy: Grouping; filter: LeadFilter; viewer: Viewer | null },
): string {
  const columns = Object.fromEntries(figures.map((each) => [each, `f.${each}`]))
  const rows = figureRowsText(parameters, { select: columns, filter, viewer, groupBy })
  return `select key, ${sums} from (${rows}) f group by key having sum(leads) <> 0`
}

/** The number of groups over all leads that the viewer may see. */
export function groupCountText(parameters: Where, groupBy: Grouping, viewer: Viewer | null): string {
  const rows = figureRowsText(parameters, { select: { leads: 'f.leads' }, filter: {}, viewer, groupBy })
  return `(select count(*) from (select from (${rows}) f group by key having sum(leads) <> 0) g)`
}

/** One row with the sums of all rows of a relation. */
export const totalsText = (relation: string): string =>
  `select ${figures.map((each) => `coalesce(sum(${each}), 0) as ${each}`).join(', ')} from ${relation}`

/**
 * The figures of the row `t` as arguments of json_build_object. approve_rate is (accepted + sent + sold + returned) /
 * leads; buyout_rate is sold / (sold + returned). Both have 4 decimals, and are null if the divisor is 0.
 */
export const figuresJson = (t: string): string =>
  [
    ...figures.map((each) => `'${each}', ${t}.${each}`),
    `'approve_rate', ${approveRate(t)}`,
    `'buyout_rate', ${buyoutRate(t)}`,
  ].join(', ')

/** Sort expressions of the row `t`, by figure. */
export const figureColumns = (t: string): Record<string, string> => ({
  ...Object.fromEntries(figures.map((each) => [each, `${t}.${each}`])),
  approve_rate: approveRate(t),
  buyout_rate: buyoutRate(t),
})

const approveRate = (t: string) =>
  `round((${t}.accepted + ${t}.send + ${t}.sold + ${t}.returned)::numeric / nullif(${t}.leads, 0), 4)`
const buyoutRate = (t: string) => `round(${t}.sold::numeric / nullif(${t}.sold + ${t}.returned, 0), 4)`
