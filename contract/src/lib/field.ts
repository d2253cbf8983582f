import { Type, type TSchema } from 'typebox'
import { DateTime, Day, oneLine } from './schemas.ts'
import type { Feature } from './features.ts'
import { Money } from './money.ts'
import {
  maxEmail,
  maxId,
  maxJsonKeys,
  maxLine,
  maxPassword,
  maxReferences,
  maxSecret,
  maxText,
  maxUrl,
} from './limits.ts'

/** When a value is required: on every save, on create only, or never. */
export type Requirement = 'always' | 'create' | 'never'

/** Whether a field is read, written or both. The server never answers a `write` field (a password). */
export type Access = 'both' | 'read' | 'write'

export type Kind =
  | 'text'
  | 'long-text'
  | 'external-id'
  | 'email'
  | 'url'
  | 'secret'
  | 'password'
  | 'integer'
  | 'money'
  | 'boolean'
  | 'choice'
  | 'time'
  | 'day'
  | 'json'
  | 'reference'
  | 'references'
  | 'alias'

/**
 * One field of a resource. `Read` and `Write` are the types of its value on the wire, without null.
 *
 * - `schema` checks one value. The resource decides whether the value may be null or absent.
 * - `label` is the visible name. It is also in the error "{label} is required".
 * - `maxLength` is the maximum length of a text in characters. The web reads it here, because its build has no
 *   schemas.
 * - `target` is the name of the resource that a reference points to. The row also has `{id, name}` under the
 *   field's name without `_id`.
 * - `aliasOf` is the key of the field whose value an alias repeats.
 * - `feature` is the feature that a host must announce before the web shows the field. A field of the
 *   specification has none.
 * - `options` maps the values of a choice on the wire to their labels, in display order. `emptyLabel` is the
 *   label of an empty choice.
 * - `receivesPrivateData`: the server sends passwords or personal data to this address. A form warns when the
 *   address is not encrypted.
 * - `fallback` is the value of a boolean in a new row that does not give one.
 * - `example` is a valid value of a JSON field.
 * - `wire` exists only in types, which derive rows and bodies from it.
 * - `visiblePart` is the part of a secret that its mask shows. 'start': the first 20 characters. Without it: a
 *   quarter, at most 4 characters.
 */
export interface Field<
  Read = unknown,
  Write = unknown,
  N extends Requirement = Requirement,
  A extends Access = Access,
  K extends Kind = Kind,
> {
  readonly kind: K
  readonly label: string
  readonly required: N
  readonly access: A
  readonly schema: TSchema
  readonly search: boolean
  readonly maxLength?: number
  readonly target?: string
  readonly aliasOf?: string
  readonly fallback?: boolean
  readonly options?: Readonly<Record<string, string>>
  readonly example?: Readonly<Record<string, unknown>>
  readonly emptyLabel?: string
  readonly feature?: Feature
  readonly visiblePart?: 'start'
  readonly receivesPrivateData?: true
  readonly wire?: { read: Read; write: Write }
}

export type Fields = Readonly<Record<string, Field>>

/** The row that a reference points to. */
export type Named = { id: number; name: string }
export const Named = Type.Object({ id: Type.Integer(), name: Type.String() })

export const Id = Type.Integer({ minimum: 0, maximum: maxId })

type FieldOptions<N extends Requirement, A extends Access> = {
  required?: N
  access?: A
  search?: boolean
  max?: number
  feature?: Feature
}

function createField<Read, Write, N extends Requirement, A extends Access, K extends Kind>(
  kind: K,
  label: string,
  options: FieldOptions<N, A> &
    Pick<
      Field,
      | 'schema'
      | 'maxLength'
      | 'target'
      | 'aliasOf'
      | 'fallback'
      | 'options'
      | 'emptyLabel'
      | 'example'
      | 'feature'
      | 'visiblePart'
      | 'receivesPrivateData'
    >,
): Field<Read, Write, N, A, K> {
  const { required = 'never' as N, access = 'both' as A, search = false, max: _, ...otherOptions } = options
  return { kind, label, required, access, search, ...otherOptions }
}

function stringField<K extends Kind>(kind: K, schema: (max: number) => TSchema, defaultMax: number) {
  return <const N extends Requirement = 'never', const A extends Access = 'both'>(
    label: string,
    options: FieldOptions<N, A> = {},
  ): Field<string, string, NoInfer<N>, NoInfer<A>, K> => {
    const maxLength = options.max ?? defaultMax
    return createField<string, string, N, A, K>(kind, label, {
      schema: schema(maxLength),
      ...options,
      maxLength,
    })
  }
}

const textSchema = (maxLength: number) => Type.String({ minLength: 1, maxLength })
const lineSchema = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: oneLine })

/** One line of text, trimmed; 255 characters unless `max` says otherwise. */
export const text = stringField('text', lineSchema, maxLine)

/** Several lines of text; 2,000 characters. */
export const longText = stringField('long-text', textSchema, maxText)

/** An id in an outside system. The server accepts text or a whole number, and stores and answers text. */
export const externalId = stringField('external-id', lineSchema, maxLine)

/** The schema of text of the form name@host. */
export const emailText = (maxLength = maxEmail) =>
  Type.String({ minLength: 3, maxLength, pattern: '^[^\\s@]+@[^\\s@]+$' })

/** An address of the form name@host. */
export const email = stringField('email', emailText, maxEmail)

/** An http or https address. Other schemes are refused because a stored link could run a script. */
export const url = stringField(
  'url',
  (maxLength) => Type.String({ minLength: 1, maxLength, pattern: '^[hH][tT][tT][pP][sS]?://[^\\s/]\\S*$' }),
  maxUrl,
)

/** An address that receives passwords or personal data. */
export const endpoint = <const N extends Requirement = 'never', const A extends Access = 'both'>(
  label: string,
  options: FieldOptions<N, A> = {},
) => ({ ...url<N, A>(label, options), receivesPrivateData: true as const })

/** Whether data goes to the address unencrypted: http, and not to this machine. */
export const isClearText = (address: string): boolean =>
  /^http:\/\/(?!(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?:[:/?#]|$))[^\s/]/i.test(address)

/** Encrypted in the database and answered as a mask. An empty value, or the mask, keeps the stored secret. */
export const secret = stringField('secret', textSchema, maxSecret)

/** A secret whose mask shows the first 20 characters, so that people can tell several tokens apart. */
export const token = <const N extends Requirement = 'never', const A extends Access = 'both'>(
  label: string,
  options: FieldOptions<N, A> = {},
) => ({ ...secret<N, A>(label, options), visiblePart: 'start' as const })

/** Write only. An empty value keeps the stored password. `max` limits the cost of hashing. */
export const password = stringField('password', textSchema, maxPassword)

/** A whole number from 0 to `max`. */
export const integer = <const N extends Requirement = 'never', const A extends Access = 'both'>(
  label: string,
  options: FieldOptions<N, A> = {},
): Field<number, number, NoInfer<N>, NoInfer<A>, 'integer'> =>
  createField<number, number, N, A, 'integer'>('integer', label, {
    schema: Type.Integer({ minimum: 0, maximum: options.max ?? maxId }),
    ...options,
  })

/** An amount in the installation's currency: a non-negative number with at most 2 decimals. */
export const money = <const N extends Requirement = 'never', const A extends Access = 'both'>(
  label: string,
  options: FieldOptions<N, A> = {},
): Field<number, number, NoInfer<N>, NoInfer<A>, 'money'> =>
  createField<number, number, N, A, 'money'>('money', label, { schema: Money, ...options })

/** A percentage from 0 to 100 with at most 2 decimals. */
export const percent = (label: string) => ({
  ...money(label),
  schema: Type.Number({ minimum: 0, maximum: 100, multipleOf: 0.01 }),
})

/** A day in the installation's time zone, yyyy-mm-dd. */
export const day = <const N extends Requirement = 'never', const A extends Access = 'both'>(
  label: string,
  options: FieldOptions<N, A> = {},
): Field<string, string, NoInfer<N>, NoInfer<A>, 'day'> =>
  createField<string, string, N, A, 'day'>('day', label, { schema: Day, ...options })

/** A boolean, never null. `fallback` is the value of a new row that does not give one. */
export const flag = <const A extends Access = 'both'>(
  label: string,
  options: { access?: A; fallback?: boolean } = {},
): Field<boolean, boolean, 'never', NoInfer<A>, 'boolean'> =>
  createField<boolean, boolean, 'never', A, 'boolean'>('boolean', label, {
    schema: Type.Boolean(),
    fallback: true,
    ...options,
  })

/**
 * One of a few fixed values. `options` maps each value to its label, in the order of the form.
 * `emptyLabel` is the label of an empty value.
 */
export const choice = <
  const O extends Readonly<Record<string, string>>,
  const N extends Requirement = 'never',
  const A extends Access = 'both',
>(
  label: string,
  options: O,
  otherOptions: FieldOptions<N, A> & { emptyLabel?: string } = {},
): Field<keyof O & string, keyof O & string, NoInfer<N>, NoInfer<A>, 'choice'> =>
  createField<keyof O & string, keyof O & string, N, A, 'choice'>('choice', label, {
    schema: Type.String({ enum: Object.keys(options) }),
    ...otherOptions,
    options,
  })

/** A date and time, ISO 8601 with offset. Only the server sets it. */
export const time = (label: string) =>
  createField<string, never, 'never', 'read', 'time'>('time', label, { schema: DateTime, access: 'read' })

/** A JSON object. Its domain checks the shape. `example` is a valid value. */
export const json = <const N extends Requirement = 'never'>(
  label: string,
  options: { required?: N; example?: Readonly<Record<string, unknown>>; feature?: Feature } = {},
): Field<Record<string, unknown>, Record<string, unknown>, NoInfer<N>, 'both', 'json'> =>
  createField<Record<string, unknown>, Record<string, unknown>, NoInfer<N>, 'both', 'json'>('json', label, {
    schema: Type.Record(Type.String(), Type.Unknown(), { maxProperties: maxJsonKeys }),
    ...options,
  })

/** The id of a row of another resource. The key ends in `_id`. */
export const reference = <const N extends Requirement = 'never', const A extends Access = 'both'>(
  label: string,
  target: string,
  options: FieldOptions<N, A> = {},
): Field<number, number, NoInfer<N>, NoInfer<A>, 'reference'> =>
  createField<number, number, N, A, 'reference'>('reference', label, { schema: Id, ...options, target })

/** Ids of rows of another resource. Write only: the resource answers them in a shape of its own. */
export const references = (label: string, target: string) =>
  createField<never, number[], 'never', 'write', 'references'>('references', label, {
    schema: Type.Array(Id, { maxItems: maxReferences }),
    access: 'write',
    target,
  })

/** Repeats the value of another field under a second name that the specification requires. */
export const alias = <T>(aliasOf: string, schema: TSchema) =>
  createField<T, never, 'always', 'read', 'alias'>('alias', aliasOf, {
    schema,
    access: 'read',
    required: 'always',
    aliasOf,
  })
