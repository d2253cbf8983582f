import type { Where } from '../../resources/lists.where.ts'
import {
  figureRowsText,
  figures,
  type Grouping,
  type LeadsMeant,
  type Person,
} from '../rollups/rollups.queries.ts'

const sums = figures.map((each) => `sum(${each}) as ${each}`).join(', ')

/** One row a group (`key` and the figures) of the leads that are meant. */
export function groupedText(
  parameters: Where,
  by: Grouping,
  leads: LeadsMeant,
  person: Person | null,
): string {
  const columns = Object.fromEntries(figures.map((each) => [each, `f.${each}`]))
  const rows = figureRowsText(parameters, columns, leads, person, by)
  return `select key, ${sums} from (${rows}) f group by key having sum(leads) <> 0`
}

/** How many groups there are of all the leads that a person may see. */
export function groupCountText(parameters: Where, by: Grouping, person: Person | null): string {
  const rows = figureRowsText(parameters, { leads: 'f.leads' }, {}, person, by)
  return `(select count(*) from (select from (${rows}) f group by key having sum(leads) <> 0) g)`
}

/** The sums of all rows of a relation, as one row. */
export const totalsText = (of: string): string =>
  `select ${figures.map((each) => `coalesce(sum(${each}), 0) as ${each}`).join(', ')} from ${of}`

/**
 * The figures of the row `t` as arguments of json_build_object. approve_rate: accepted, sent, sold and
 * returned among all; buyout_rate: sold among sold and returned. To 4 decimals, null without a base.
 */
export const figuresJson = (t: string): string =>
  [
    ...figures.map((each) => `'${each}', ${t}.${each}`),
    `'approve_rate', ${approveRate(t)}`,
    `'buyout_rate', ${buyoutRate(t)}`,
  ].join(', ')

/** Expressions to sort the row `t` by. */
export const figureColumns = (t: string): Record<string, string> => ({
  ...Object.fromEntries(figures.map((each) => [each, `${t}.${each}`])),
  approve_rate: approveRate(t),
  buyout_rate: buyoutRate(t),
})

const approveRate = (t: string) =>
  `round((${t}.accepted + ${t}.send + ${t}.sold + ${t}.returned)::numeric / nullif(${t}.leads, 0), 4)`
const buyoutRate = (t: string) => `round(${t}.sold::numeric / nullif(${t}.sold + ${t}.returned, 0), 4)`
