import { span } from './leads.generate.queries.ts'
import type { Scope } from './reports.cases.ts'

/** One address of the API, asked at both sizes. */
export interface ScaleCase {
  readonly kind: 'report' | 'list' | 'search' | 'lead' | 'explore'
  readonly scope: Scope
  readonly description: string
  readonly path: (known: KnownLeads) => string
}

/** `total`: the number of leads that a person sees. `lead`: the id of one of them. */
export interface KnownLeads {
  readonly total: number
  readonly lead: number
}

const lastDays = { start_date: addDays(-29), end_date: span.last }

function addDays(days: number): string {
  return new Date(Date.parse(span.last) + days * 86_400_000).toISOString().slice(0, 10)
}

type Parameters = Readonly<Record<string, string | number>>

const join = (address: string, parameters: Parameters) =>
  `${address}?${new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)])).toString()}`

const reports = ['sources', 'fin', 'stats', 'daily', 'offers', 'streams'].flatMap((name) => [
  { name, period: {} },
  ...(name === 'sources' ? [] : [{ name, period: lastDays }]),
])

/** Filters and sorts of the list of leads. */
const lists: Parameters[] = [
  {},
  ...['id', 'external_id', 'created_at', 'updated_at', 'payout'].flatMap((sort) => [
    { sort },
    { sort: `-${sort}` },
  ]),
  { source_id: 2 },
  { offer_id: 17 },
  { stream_id: 8 },
  { status_id: 1 },
  { status_id: 0 },
  { buyer_id: 2 },
  { column: 'sold' },
  { source_id: 2, source_status: 'new', status_id: 0 },
  { region: 'Region 3' },
  { cancel_reason: 'Reason 5' },
  { sub1: 's77' },
  { sub3: 's7' },
  { weekday: 6 },
  { hour: 13 },
  { ...lastDays },
  { ...lastDays, region: 'Region 3' },
  { ...lastDays, sub1: 's77' },
  { ...lastDays, status_id: 1, offer_id: 17 },
  { source_id: 2, sort: '-payout' },
  { stream_id: 8, status_id: 1, sort: 'updated_at' },
]

const explorePeriods: Parameters[] = [{}, { date_from: lastDays.start_date, date_to: lastDays.end_date }]
const explorePairs = [
  ['day', 'source'],
  ['week', 'stream'],
  ['month', 'buyer'],
  ['offer', 'status'],
  ['stream', 'status'],
]

const format = (parameters: Parameters) =>
  Object.entries(parameters)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ') || 'newest'

const pageSize = 10

const buildCases = (scope: Scope): ScaleCase[] => [
  ...reports.map(({ name, period }): ScaleCase => ({
    kind: 'report',
    scope,
    description: `${name}, ${Object.keys(period).length === 0 ? 'all time' : '30 days'}`,
    path: () => join(`/api/${scope}/report/${name}`, period),
  })),
  ...lists.map((parameters): ScaleCase => ({
    kind: 'list',
    scope,
    description: format(parameters),
    path: () => join(`/api/${scope}/leads/`, parameters),
  })),
  ...[2, 4].map((share): ScaleCase => ({
    kind: 'list',
    scope,
    description: share === 2 ? 'page in the middle' : 'page at a quarter',
    path: ({ total }) => join(`/api/${scope}/leads/`, { page: Math.floor(total / share / pageSize) }),
  })),
  {
    kind: 'list',
    scope,
    description: 'last page',
    path: ({ total }) => join(`/api/${scope}/leads/`, { page: Math.ceil(total / pageSize) }),
  },
  ...['L4711', 'L123', 'l99', 'nothing'].map((search): ScaleCase => ({
    kind: 'search',
    scope,
    description: search,
    path: () => join(`/api/${scope}/leads/`, { search }),
  })),
  {
    kind: 'lead',
    scope,
    description: 'one lead with its history',
    path: ({ lead }) => `/api/${scope}/leads/${lead}${scope === 'user' ? '/' : ''}`,
  },
  ...explorePairs.flatMap(([rows = '', columns = '']) =>
    explorePeriods.map((period): ScaleCase => ({
      kind: 'explore',
      scope,
      description: `${rows} × ${columns}, ${Object.keys(period).length === 0 ? 'all time' : '30 days'}`,
      path: () => join(`/api/${scope}/explore`, { rows, columns, metrics: 'leads,profit', ...period }),
    })),
  ),
]

export const scaleCases: readonly ScaleCase[] = (['admin', 'user'] as const).flatMap(buildCases)
