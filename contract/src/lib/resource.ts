import { Type, type TSchema } from 'typebox'
import type { Feature } from './features.ts'
import { Id, Named, type Field, type Fields, type Kind } from './field.ts'
import { format } from './format.ts'
import { maxMoney, maxOffset, maxPage, maxSearch, maxText } from './limits.ts'
import { pageSizeBounds } from './page.ts'

type ReadKey<F extends Fields> = { [K in keyof F]: F[K]['access'] extends 'write' ? never : K }[keyof F]
type WriteKey<F extends Fields> = { [K in keyof F]: F[K]['access'] extends 'read' ? never : K }[keyof F]
type MustKey<F extends Fields> = {
  [K in WriteKey<F>]: F[K]['need'] extends 'optional' ? never : K
}[WriteKey<F>]
type ReadOf<X> = X extends Field<infer R> ? R : never
type WriteOf<X> = X extends Field<unknown, infer W> ? W : never
type Nullable<X extends Field, V> = X['need'] extends 'optional'
  ? X['kind'] extends 'boolean'
    ? V
    : V | null
  : V
/** A reference can be empty in a row that a source made, even where a form insists on it. */
type Answered<X extends Field> = X['kind'] extends 'reference' ? number | null : Nullable<X, ReadOf<X>>
type RefKey<F extends Fields> = {
  [K in ReadKey<F>]: F[K]['kind'] extends 'reference' ? K : never
}[ReadKey<F>]

/** A row as the wire answers it: the readable fields, `{id, name}` beside each reference, and its times. */
export type RowOf<F extends Fields> = { id: number } & {
  [K in ReadKey<F>]: Answered<F[K]>
} & { [K in RefKey<F> as K extends `${infer Name}_id` ? Name : never]: Named | null } & {
  created_at: string
  updated_at: string
}
export type CreateOf<F extends Fields> = { [K in MustKey<F>]: WriteOf<F[K]> } & {
  [K in Exclude<WriteKey<F>, MustKey<F>>]?: Nullable<F[K], WriteOf<F[K]>>
}
export type UpdateOf<F extends Fields> = { [K in WriteKey<F>]?: Nullable<F[K], WriteOf<F[K]>> } & AsRead

/** What an update was made from: a row that was changed since is not overwritten. Null is as good as nothing. */
type AsRead = { updated_at?: string | null }
export const asRead = Type.Optional(
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'As the row was read; where it was changed since, the answer is 409 and nothing is saved',
  }),
)

/** Where the specification lets a resource differ from its siblings. */
export interface Quirks {
  /** Updates travel as PUT unless the specification says POST; the server answers both. */
  readonly update: 'PUT' | 'POST'
  readonly delete: boolean
  readonly pageSize: 10 | 20
  /** How the web asks for a page; the server takes both styles on every list. */
  readonly paging: 'page' | 'skip'
  /**
   * The parameter that the web's search box fills. A field's own filter in that place finds the text anywhere in the
   * field, whatever the case; every other filter is exact.
   */
  readonly searchBy: 'search' | 'name'
  /** Whether the address of one row ends in a slash (that of the list always does). */
  readonly itemSlash: boolean
  /** The single get answers a list of one. */
  readonly firstOfItems: boolean
  /** Where a failed save speaks: in the form, in the form with the thrown message, or as an alert. */
  readonly saveFailure: 'text' | 'thrown' | 'alert'
}

/** A resource: one declaration, from which wire, tables, forms, lists and texts follow. */
export interface Resource<Row = unknown, Create = unknown, Update = unknown> {
  /** The folder in each package, the last part of its URL, and with `_` its table. */
  readonly name: string
  readonly path: string
  /** What a host must announce before the web shows the resource; one of the specification has none. */
  readonly feature?: Feature
  readonly noun: { readonly one: string; readonly many: string }
  readonly title: string
  readonly fields: Fields
  /** The list's columns, in order. */
  readonly columns: readonly string[]
  /** The field by which others name a row of this resource. */
  readonly naming: string
  readonly quirks: Quirks
  readonly schemas: { row: TSchema; create: TSchema; update: TSchema; query: TSchema }
  readonly types?: { row: Row; create: Create; update: Update }
}

const usual: Quirks = {
  update: 'PUT',
  delete: true,
  pageSize: 10,
  paging: 'page',
  searchBy: 'search',
  itemSlash: true,
  firstOfItems: false,
  saveFailure: 'text',
}

/** Declares a resource under /api/admin. `row` adds to the row's schema what no field describes. */
export function resource<const F extends Fields, Extra = unknown>(declared: {
  name: string
  feature?: Feature
  noun: { one: string; many: string }
  title: string
  fields: F
  columns: readonly (keyof F | 'id' | 'created_at')[]
  naming?: keyof F
  quirks?: Partial<Quirks>
  row?: Record<string, TSchema>
}): Resource<RowOf<F> & Extra, CreateOf<F>, UpdateOf<F>> {
  const { name, feature, noun, title, fields, columns, naming = 'name', quirks, row = {} } = declared
  return {
    name,
    path: `/api/admin/${name}`,
    ...(feature && { feature }),
    noun,
    title,
    fields,
    columns: columns.map(String),
    naming: String(naming),
    quirks: { ...usual, ...quirks },
    schemas: {
      row: rowSchema(fields, row),
      create: bodySchema(fields, 'create'),
      update: bodySchema(fields, 'update'),
      query: querySchema(fields),
    },
  }
}

export const readable = (fields: Fields) => Object.entries(fields).filter(([, f]) => f.access !== 'write')
export const writable = (fields: Fields) => Object.entries(fields).filter(([, f]) => f.access !== 'read')

/** `role_id` names its row `role`. */
export const referenceName = (key: string): string => key.replace(/_id$/, '')

const unsearchable: ReadonlySet<Kind> = new Set(['secret', 'json', 'long-text', 'alias'])

/** The columns that a list can be filtered by exactly, and sorted by. */
export const listKeys = (fields: Fields): string[] => [
  'id',
  ...readable(fields).flatMap(([key, f]) => (unsearchable.has(f.kind) ? [] : [key])),
  'created_at',
  'updated_at',
]

const nullable = (schema: TSchema) => Type.Union([schema, Type.Null()])
const canBeNull = (f: Field) => f.need === 'optional' && f.kind !== 'boolean'

/** What an answer promises of a value: its type. Bounds and patterns are checks on the way in. */
function answered(f: Field): TSchema {
  if (f.kind === 'integer' || f.kind === 'reference') return Type.Integer()
  if (f.kind === 'money') return Type.Number()
  if (f.kind === 'boolean' || f.kind === 'json' || f.kind === 'alias' || f.kind === 'time') return f.schema
  if (f.kind === 'choice') return f.schema
  return Type.String()
}

function rowSchema(fields: Fields, extra: Record<string, TSchema>): TSchema {
  const properties: Record<string, TSchema> = { id: Type.Integer() }
  for (const [key, f] of readable(fields)) {
    properties[key] = canBeNull(f) || f.kind === 'reference' ? nullable(answered(f)) : answered(f)
    if (f.kind === 'reference') properties[referenceName(key)] = nullable(Named)
  }
  const time = Type.String({ format: 'date-time' })
  return Type.Object({ ...properties, ...extra, created_at: time, updated_at: time })
}

/** An update may leave out what it does not change; what it names must be valid. It may say what it was made from. */
function bodySchema(fields: Fields, mode: 'create' | 'update'): TSchema {
  const properties: Record<string, TSchema> = {}
  for (const [key, f] of writable(fields)) {
    const value = canBeNull(f) ? nullable(f.schema) : f.schema
    const must = mode === 'create' && f.need !== 'optional'
    properties[key] = must ? value : Type.Optional(value)
  }
  return Type.Object(mode === 'update' ? { ...properties, updated_at: asRead } : properties)
}

/**
 * Paging, search and sort, which every list takes; with `format` it answers a file of all rows that match,
 * paging left aside.
 */
export function listQuery(keys: readonly string[], filters: Record<string, TSchema> = {}): TSchema {
  const optional = Object.fromEntries(Object.entries(filters).map(([key, s]) => [key, Type.Optional(s)]))
  const size = Type.Optional(Type.Integer({ minimum: pageSizeBounds.min, maximum: pageSizeBounds.max }))
  return Type.Object({
    ...optional,
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: maxPage })),
    per_page: size,
    limit: size,
    skip: Type.Optional(Type.Integer({ minimum: 0, maximum: maxOffset })),
    search: Type.Optional(Type.String({ maxLength: maxSearch })),
    sort: Type.Optional(
      Type.Union(
        keys.flatMap((key) => [Type.Literal(key), Type.Literal(`-${key}`)]),
        { description: 'A column; a leading - sorts descending' },
      ),
    ),
    format: Type.Optional(format),
  })
}

function querySchema(fields: Fields): TSchema {
  const time = Type.String({ format: 'date-time' })
  const filters: Record<string, TSchema> = { id: Id, created_at: time, updated_at: time }
  for (const [key, f] of readable(fields)) {
    if (unsearchable.has(f.kind)) continue
    filters[key] = f.kind === 'time' ? time : f.kind === 'integer' || f.kind === 'reference' ? Id : exact(f)
  }
  return listQuery(listKeys(fields), filters)
}

function exact(f: Field): TSchema {
  if (f.kind === 'boolean') return Type.Boolean()
  if (f.kind === 'choice') return f.schema
  if (f.kind === 'money') return Type.Number({ minimum: 0, maximum: maxMoney })
  return Type.String({ maxLength: maxText })
}

/**
 * A body as people and other programs send it, made ready for its schema: text trimmed, an empty value
 * of an optional field null, an empty required field left out on create, an untouched secret left out
 * on update, a numeric external id as text. Keys that the resource does not offer are dropped.
 */
export function normalise(fields: Fields, body: unknown, mode: 'create' | 'update'): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return {}
  const given = new Map(Object.entries(body))
  const ready: Record<string, unknown> = {}
  for (const [key, f] of writable(fields)) {
    if (!given.has(key)) continue
    const value = tidy(f, given.get(key))
    const empty = value === null || value === ''
    if (empty && mode === 'update' && (f.kind === 'secret' || f.kind === 'password')) continue
    if (empty && mode === 'create' && !canBeNull(f)) continue
    ready[key] = empty && !Array.isArray(value) ? null : value
  }
  if (mode === 'update' && given.has('updated_at')) ready.updated_at = given.get('updated_at')
  return ready
}

function tidy(f: Field, value: unknown): unknown {
  if (f.kind === 'external-id' && typeof value === 'number') return String(value)
  return typeof value === 'string' && f.kind !== 'password' && f.kind !== 'secret' ? value.trim() : value
}
