import { Type, type Static, type TSchema, type TUnsafe } from 'typebox'
import type { Feature } from './features.ts'
import { Id, Named, type Field, type Fields, type Kind } from './field.ts'
import { format, type FileFormat } from './format.ts'
import { maxMoney, maxOffset, maxPage, maxSearch, maxText } from './limits.ts'
import { pageSizeBounds } from './page.ts'
import { DateTime, nullable } from './schemas.ts'

type ReadKey<F extends Fields> = { [K in keyof F]: F[K]['access'] extends 'write' ? never : K }[keyof F]
type WriteKey<F extends Fields> = { [K in keyof F]: F[K]['access'] extends 'read' ? never : K }[keyof F]
type RequiredKey<F extends Fields> = {
  [K in WriteKey<F>]: F[K]['required'] extends 'never' ? never : K
}[WriteKey<F>]
type ReadOf<X> = X extends Field<infer R> ? R : never
type WriteOf<X> = X extends Field<unknown, infer W> ? W : never
type Nullable<X extends Field, V> = X['required'] extends 'never'
  ? X['kind'] extends 'boolean'
    ? V
    : V | null
  : V
/** A reference can be null in a row from a source, even where the form requires it. */
type AnsweredValue<X extends Field> = X['kind'] extends 'reference' ? number | null : Nullable<X, ReadOf<X>>
type RefKey<F extends Fields> = {
  [K in ReadKey<F>]: F[K]['kind'] extends 'reference' ? K : never
}[ReadKey<F>]

/** A row on the wire: the readable fields, `{id, name}` beside each reference, and the times. */
export type RowOf<F extends Fields> = { id: number } & {
  [K in ReadKey<F>]: AnsweredValue<F[K]>
} & { [K in RefKey<F> as K extends `${infer Name}_id` ? Name : never]: Named | null } & {
  created_at: string
  updated_at: string
}
export type CreateOf<F extends Fields> = { [K in RequiredKey<F>]: WriteOf<F[K]> } & {
  [K in Exclude<WriteKey<F>, RequiredKey<F>>]?: Nullable<F[K], WriteOf<F[K]>>
}
export type UpdateOf<F extends Fields> = {
  [K in WriteKey<F>]?: Nullable<F[K], WriteOf<F[K]>>
} & ExpectedVersion

/**
 * The `updated_at` that an update expects. If the row is newer, the update is a conflict. Null means no
 * check.
 */
type ExpectedVersion = { updated_at?: string | null }
export const expectedUpdatedAt = Type.Optional(
  Type.Union([DateTime, Type.Null()], {
    description:
      'The version that the client read; if the row is newer, the answer is 409 and nothing is saved',
  }),
)

/** Differences between resources that the specification allows. */
export interface Quirks {
  /** Updates are PUT unless the specification says POST. The server accepts both. */
  readonly update: 'PUT' | 'POST'
  readonly delete: boolean
  readonly pageSize: 10 | 20
  /** How the web requests a page. The server accepts both styles on every list. */
  readonly paging: 'page' | 'skip'
  /**
   * The parameter that the search box of the web fills. If it is the filter of a field, the filter finds the
   * text anywhere in the field and ignores case. Every other filter is exact.
   */
  readonly searchBy: 'search' | 'name'
  /** Whether the path of one row ends in a slash. The path of the list always does. */
  readonly itemSlash: boolean
  /** The single get answers a list with one row. */
  readonly firstOfItems: boolean
  /** Where the form shows a failed save: as its own text, as the server's message, or as an alert. */
  readonly saveFailure: 'text' | 'thrown' | 'alert'
}

/** A resource: one declaration from which the wire, tables, forms, lists and texts are built. */
export interface Resource<Row = unknown, Create = unknown, Update = unknown> {
  /** The name of its folder in each package, the last part of its path and, with `_` for `-`, its table. */
  readonly name: string
  readonly path: string
  /**
   * The feature that a host must announce before the web shows the resource. A resource of the specification
   * has none.
   */
  readonly feature?: Feature
  readonly noun: { readonly one: string; readonly many: string }
  readonly title: string
  readonly fields: Fields
  /** The list's columns, in order. */
  readonly columns: readonly string[]
  /** The field that names a row, for example in references to it. */
  readonly nameField: string
  readonly quirks: Quirks
  readonly schemas: { row: TSchema; create: TSchema; update: TSchema; query: TSchema }
  readonly types?: { row: Row; create: Create; update: Update }
}

const defaultQuirks: Quirks = {
  update: 'PUT',
  delete: true,
  pageSize: 10,
  paging: 'page',
  searchBy: 'search',
  itemSlash: true,
  firstOfItems: false,
  saveFailure: 'text',
}

/** The path of a resource's list, without the trailing slash. */
export const getResourcePath = (name: string): string => `/api/admin/${name}`

/** Declares a resource under /api/admin. `row` adds properties to the row's schema that no field describes. */
export function resource<const F extends Fields, Extra = unknown>(declaration: {
  name: string
  feature?: Feature
  noun: { one: string; many: string }
  title: string
  fields: F
  columns: readonly (keyof F | 'id' | 'created_at')[]
  nameField?: keyof F
  quirks?: Partial<Quirks>
  row?: Record<string, TSchema>
}): Resource<RowOf<F> & Extra, CreateOf<F>, UpdateOf<F>> {
  const { name, feature, noun, title, fields, columns, nameField = 'name', quirks, row = {} } = declaration
  return {
    name,
    path: getResourcePath(name),
    ...(feature && { feature }),
    noun,
    title,
    fields,
    columns: columns.map(String),
    nameField: String(nameField),
    quirks: { ...defaultQuirks, ...quirks },
    schemas: {
      row: rowSchema(fields, row),
      create: bodySchema(fields, 'create'),
      update: bodySchema(fields, 'update'),
      query: querySchema(fields),
    },
  }
}

export const getReadableFields = (fields: Fields) =>
  Object.entries(fields).filter(([, f]) => f.access !== 'write')
export const getWritableFields = (fields: Fields) =>
  Object.entries(fields).filter(([, f]) => f.access !== 'read')

/** The key of the referenced row beside a reference: `role_id` becomes `role`. */
export const getReferenceName = (key: string): string => key.replace(/_id$/, '')

const unfilterableKinds: ReadonlySet<Kind> = new Set(['secret', 'json', 'long-text', 'alias'])

/** The columns by which a list can be sorted and exactly filtered. */
export const getListKeys = (fields: Fields): string[] => [
  'id',
  ...getReadableFields(fields).flatMap(([key, f]) => (unfilterableKinds.has(f.kind) ? [] : [key])),
  'created_at',
  'updated_at',
]

export const canBeNull = (f: Field) => f.required === 'never' && f.kind !== 'boolean'

/** The schema of a value in an answer: its type alone. Bounds and patterns apply to input only. */
function answerSchema(f: Field): TSchema {
  if (f.kind === 'integer' || f.kind === 'reference') return Type.Integer()
  if (f.kind === 'money') return Type.Number()
  if (f.kind === 'boolean' || f.kind === 'json' || f.kind === 'alias' || f.kind === 'time') return f.schema
  if (f.kind === 'choice' || f.kind === 'day') return f.schema
  return Type.String()
}

function rowSchema(fields: Fields, extraProperties: Record<string, TSchema>): TSchema {
  const properties: Record<string, TSchema> = { id: Type.Integer() }
  for (const [key, f] of getReadableFields(fields)) {
    properties[key] = canBeNull(f) || f.kind === 'reference' ? nullable(answerSchema(f)) : answerSchema(f)
    if (f.kind === 'reference') properties[getReferenceName(key)] = nullable(Named)
  }
  return Type.Object({ ...properties, ...extraProperties, created_at: DateTime, updated_at: DateTime })
}

/** The schema of a body. An update may omit unchanged fields and may send the expected version. */
function bodySchema(fields: Fields, mode: 'create' | 'update'): TSchema {
  const properties: Record<string, TSchema> = {}
  for (const [key, f] of getWritableFields(fields)) {
    const value = canBeNull(f) ? nullable(f.schema) : f.schema
    const isRequired = mode === 'create' && f.required !== 'never'
    properties[key] = isRequired ? value : Type.Optional(value)
  }
  return Type.Object(mode === 'update' ? { ...properties, updated_at: expectedUpdatedAt } : properties)
}

type ListQueryOf<Filters extends Record<string, TSchema>> = {
  [Key in keyof Filters]?: Static<Filters[Key]>
} & {
  page?: number
  per_page?: number
  limit?: number
  skip?: number
  search?: string
  sort?: string
  format?: FileFormat
}

/**
 * The query of every list: paging, search and sort. With `format` the answer is a file of all matching rows,
 * without paging.
 */
export function listQuery<Filters extends Record<string, TSchema>>(
  keys: readonly string[],
  filters?: Filters,
): TUnsafe<ListQueryOf<Filters>>
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
        { description: 'The column to sort by; with - before its name, in descending order' },
      ),
    ),
    format: Type.Optional(format),
  })
}

function querySchema(fields: Fields): TSchema {
  const filters: Record<string, TSchema> = { id: Id, created_at: DateTime, updated_at: DateTime }
  for (const [key, f] of getReadableFields(fields)) {
    if (unfilterableKinds.has(f.kind)) continue
    filters[key] =
      f.kind === 'time'
        ? DateTime
        : f.kind === 'integer' || f.kind === 'reference'
          ? Id
          : exactFilterSchema(f)
  }
  return listQuery(getListKeys(fields), filters)
}

function exactFilterSchema(f: Field): TSchema {
  if (f.kind === 'boolean') return Type.Boolean()
  if (f.kind === 'choice' || f.kind === 'day') return f.schema
  if (f.kind === 'money') return Type.Number({ minimum: 0, maximum: maxMoney })
  return Type.String({ maxLength: maxText })
}
