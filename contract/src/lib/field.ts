import { Type, type TSchema } from 'typebox'
import type { Feature } from './features.ts'
import {
  maxEmail,
  maxId,
  maxJsonKeys,
  maxLine,
  maxMoney,
  maxPassword,
  maxReferences,
  maxSecret,
  maxText,
  maxUrl,
} from './limits.ts'

/** When a form and the server insist on a value: on every save, on create only, or never. */
export type Need = 'save' | 'create' | 'optional'

/** Which way a field travels. A `write` field (a password) never leaves the server. */
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
  | 'json'
  | 'reference'
  | 'references'
  | 'alias'

/**
 * One field of a resource. `Read` and `Write` are its value's type on the wire, without null.
 *
 * - `schema` checks one value that is there; null and absent are the resource's business.
 * - `label` is what a person sees, and stands in "{label} is required".
 * - `to` names the resource that a reference points to; its row also carries `{id, name}` under the
 *   field's name without `_id`.
 * - `of` names the field that an alias repeats under another spelling.
 * - `feature` names what a host must announce before the web shows the field; one of the specification has none.
 * - `options` are a choice's values on the wire and what a person reads for each, in order; `unchosen` is
 *   what having none of them means.
 * - `sends`: passwords or people's data go to this address; a form warns where it is not encrypted.
 * - `shown` is what a person sees of a long secret: its first 20 characters. Of any other secret it is a quarter, 4 characters
 *   at most.
 */
export interface Field<
  Read = unknown,
  Write = unknown,
  N extends Need = Need,
  A extends Access = Access,
  K extends Kind = Kind,
> {
  readonly kind: K
  readonly label: string
  readonly need: N
  readonly access: A
  readonly schema: TSchema
  readonly search: boolean
  readonly to?: string
  readonly of?: string
  readonly fallback?: boolean
  readonly options?: Readonly<Record<string, string>>
  readonly example?: Readonly<Record<string, unknown>>
  readonly unchosen?: string
  readonly feature?: Feature
  readonly shown?: 'start'
  readonly sends?: true
  readonly wire?: { read: Read; write: Write }
}

export type Fields = Readonly<Record<string, Field>>

/** What a reference carries beside its id. */
export type Named = { id: number; name: string }
export const Named = Type.Object({ id: Type.Integer(), name: Type.String() })

export const Id = Type.Integer({ minimum: 0, maximum: maxId })

type Options<N extends Need, A extends Access> = {
  need?: N
  access?: A
  search?: boolean
  max?: number
  feature?: Feature
}

function field<Read, Write, N extends Need, A extends Access, K extends Kind>(
  kind: K,
  label: string,
  schema: TSchema,
  options: Options<N, A> &
    Pick<
      Field,
      'to' | 'of' | 'fallback' | 'options' | 'unchosen' | 'example' | 'feature' | 'shown' | 'sends'
    >,
): Field<Read, Write, N, A, K> {
  const { need = 'optional' as N, access = 'both' as A, search = false, max: _, ...more } = options
  return {
    kind,
    label,
    need,
    access,
    schema,
    search,
    ...more,
  }
}

function stringField<K extends Kind>(kind: K, schema: (max: number) => TSchema, usualMax: number) {
  return <const N extends Need = 'optional', const A extends Access = 'both'>(
    label: string,
    options: Options<N, A> = {},
  ): Field<string, string, NoInfer<N>, NoInfer<A>, K> =>
    field<string, string, N, A, K>(kind, label, schema(options.max ?? usualMax), options)
}

const string = (maxLength: number) => Type.String({ minLength: 1, maxLength })

/** One line of text, trimmed; 255 characters unless `max` says otherwise. */
export const text = stringField('text', string, maxLine)

/** Several lines of text; 2,000 characters. */
export const longText = stringField('long-text', string, maxText)

/** An id in somebody else's system: taken as text or number, kept and answered as text. */
export const externalId = stringField('external-id', string, maxLine)

/** Text of the form name@host. */
export const emailText = (maxLength = maxEmail) =>
  Type.String({ minLength: 3, maxLength, pattern: '^[^\\s@]+@[^\\s@]+$' })

/** An address of the form name@host. */
export const email = stringField('email', emailText, maxEmail)

/** An http or https address. Nothing else, so that no stored link can run a script. */
export const url = stringField(
  'url',
  (maxLength) => Type.String({ minLength: 1, maxLength, pattern: '^[hH][tT][tT][pP][sS]?://[^\\s/]+\\S*$' }),
  maxUrl,
)

/** An address that passwords or people's data are sent to. */
export const endpoint = <const N extends Need = 'optional', const A extends Access = 'both'>(
  label: string,
  options: Options<N, A> = {},
) => ({ ...url<N, A>(label, options), sends: true as const })

/** Whether whoever is on the way reads what is sent to the address: http, but not to this machine. */
export const isClearText = (address: string): boolean =>
  /^http:\/\/(?!(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?:[:/?#]|$))[^\s/]/i.test(address)

/** Encrypted at rest, answered as a mask; empty or equal to its mask leaves it as it was. */
export const secret = stringField('secret', string, maxSecret)

/** A secret whose first 20 characters a person sees where it is longer: they tell which of several tokens it is. */
export const token = <const N extends Need = 'optional', const A extends Access = 'both'>(
  label: string,
  options: Options<N, A> = {},
) => ({ ...secret<N, A>(label, options), shown: 'start' as const })

/** Write only; empty leaves it as it was. `max` bounds the cost of hashing it. */
export const password = stringField('password', string, maxPassword)

/**
 * A whole number.
 * @public part of the vocabulary of declarations, whether or not one uses it today
 */
export const integer = <const N extends Need = 'optional', const A extends Access = 'both'>(
  label: string,
  options: Options<N, A> = {},
): Field<number, number, NoInfer<N>, NoInfer<A>, 'integer'> =>
  field<number, number, N, A, 'integer'>(
    'integer',
    label,
    Type.Integer({ minimum: 0, maximum: maxId }),
    options,
  )

/** An amount in the installation's currency: a number of at most 2 decimals, never negative. */
export const money = <const N extends Need = 'optional', const A extends Access = 'both'>(
  label: string,
  options: Options<N, A> = {},
): Field<number, number, NoInfer<N>, NoInfer<A>, 'money'> =>
  field<number, number, N, A, 'money'>('money', label, Money, options)

const Money = Type.Number({ minimum: 0, maximum: maxMoney, multipleOf: 0.01 })

/** Yes or no; `fallback` is what a row without a word on it gets. Never null. */
export const flag = <const A extends Access = 'both'>(
  label: string,
  options: { access?: A; fallback?: boolean } = {},
): Field<boolean, boolean, 'optional', NoInfer<A>, 'boolean'> =>
  field<boolean, boolean, 'optional', A, 'boolean'>('boolean', label, Type.Boolean(), {
    fallback: true,
    ...options,
  })

/**
 * One of a few fixed values: `options` gives each its label, in the order in which a form offers them.
 * Where none has to be chosen, `unchosen` says what that means.
 */
export const choice = <
  const O extends Readonly<Record<string, string>>,
  const N extends Need = 'optional',
  const A extends Access = 'both',
>(
  label: string,
  options: O,
  more: Options<N, A> & { unchosen?: string } = {},
): Field<keyof O & string, keyof O & string, NoInfer<N>, NoInfer<A>, 'choice'> =>
  field<keyof O & string, keyof O & string, N, A, 'choice'>(
    'choice',
    label,
    Type.String({ enum: Object.keys(options) }),
    { ...more, options },
  )

/** A moment, ISO 8601 with offset; set by the server alone. */
export const time = (label: string) =>
  field<string, never, 'optional', 'read', 'time'>('time', label, Type.String({ format: 'date-time' }), {
    access: 'read',
  })

/** A JSON object whose shape its own domain checks; `example` is one that it takes. */
export const json = <const N extends Need = 'optional'>(
  label: string,
  options: { need?: N; example?: Readonly<Record<string, unknown>>; feature?: Feature } = {},
): Field<Record<string, unknown>, Record<string, unknown>, NoInfer<N>, 'both', 'json'> =>
  field<Record<string, unknown>, Record<string, unknown>, NoInfer<N>, 'both', 'json'>(
    'json',
    label,
    Type.Record(Type.String(), Type.Unknown(), { maxProperties: maxJsonKeys }),
    options,
  )

/** The id of a row of another resource. The key ends in `_id`. */
export const reference = <const N extends Need = 'optional', const A extends Access = 'both'>(
  label: string,
  to: string,
  options: Options<N, A> = {},
): Field<number, number, NoInfer<N>, NoInfer<A>, 'reference'> =>
  field<number, number, N, A, 'reference'>('reference', label, Id, { ...options, to })

/** Ids of rows of another resource; write only, how they are answered is the resource's own shape. */
export const references = (label: string, to: string) =>
  field<never, number[], 'optional', 'write', 'references'>(
    'references',
    label,
    Type.Array(Id, { maxItems: maxReferences }),
    { access: 'write', to },
  )

/** The value of another field once more, under a spelling that the wire also promises. */
export const alias = <T>(of: string, schema: TSchema) =>
  field<T, never, 'save', 'read', 'alias'>('alias', of, schema, { access: 'read', need: 'save', of })
