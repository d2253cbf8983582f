import { Type, type Static, type TSchema } from 'typebox'
import { maxCode, maxLine, maxText } from '../lib/limits.ts'

// How a network is read, as data. A path such as "data.items" or "orders.data" names a place in an answer,
// '' the answer itself. Texts may hold {login} {pass} {api_key} {token} and the placeholders that their own
// comment names.

const maybe = <T extends TSchema>(schema: T) => Type.Optional(schema)
const text = (maxLength = maxText) => Type.String({ maxLength })
const path = Type.String({ maxLength: maxLine })
const texts = Type.Record(Type.String({ maxLength: maxCode }), text())
const closed = { additionalProperties: false }

/** Signing in: a request whose answer holds a token. Without it the credential's own token or API key is used. */
const SignIn = Type.Object(
  {
    url: text(),
    method: maybe(Type.Union([Type.Literal('POST'), Type.Literal('GET')])),
    form: maybe(Type.Union([Type.Literal('json'), Type.Literal('form')])),
    body: maybe(texts),
    headers: maybe(texts),
    /** Where the token stands in the answer. */
    token: path,
  },
  closed,
)

/**
 * How pages are asked for. `page`: a number in `param`, from `first` (1). `offset`: rows to skip in `param`.
 * `next`: the address of the next page stands in the answer at `next`. `none`: there is one page.
 * The end is an empty page, or `last` (the number of the last page), or `total` (of all rows).
 */
const Paging = Type.Object(
  {
    by: Type.Union([
      Type.Literal('page'),
      Type.Literal('offset'),
      Type.Literal('next'),
      Type.Literal('none'),
    ]),
    param: maybe(Type.String({ maxLength: maxCode })),
    first: maybe(Type.Integer({ minimum: 0, maximum: 1 })),
    size_param: maybe(Type.String({ maxLength: maxCode })),
    size: maybe(Type.Integer({ minimum: 1, maximum: 1000 })),
    last: maybe(path),
    total: maybe(path),
    next: maybe(path),
  },
  closed,
)

/** A list: `items` is where its rows stand; `fields` says where in a row each of ours is. */
function list<F extends Record<string, TSchema>>(fields: F) {
  return Type.Object(
    {
      url: text(),
      query: maybe(texts),
      headers: maybe(texts),
      items: path,
      paging: Paging,
      fields: Type.Object(fields, closed),
    },
    closed,
  )
}

/**
 * `newest_first: false` where new orders stand last: all pages are then read every time. `updated_since`: a parameter
 * by which the network answers the orders that changed since a moment; the daily reading of all orders then uses it.
 */
const Orders = Type.Object(
  {
    ...list({
      external_id: path,
      status: path,
      created_at: path,
      updated_at: maybe(path),
      payout: maybe(path),
      currency: maybe(path),
      offer: maybe(path),
      offer_extra_id: maybe(path),
      stream: maybe(path),
      stream_extra_id: maybe(path),
      comment: maybe(path),
    }).properties,
    newest_first: maybe(Type.Boolean()),
    updated_since: maybe(
      Type.Object(
        {
          param: Type.String({ minLength: 1, maxLength: maxCode }),
          /** How the moment is written: `text` is ISO 8601 in UTC, `day` its yyyy-mm-dd. */
          unit: maybe(
            Type.Union([
              Type.Literal('text'),
              Type.Literal('day'),
              Type.Literal('seconds'),
              Type.Literal('milliseconds'),
            ]),
          ),
        },
        closed,
      ),
    ),
  },
  closed,
)
const offerFields = {
  extra_id: path,
  name: path,
  price: maybe(path),
  affiliate_fee: maybe(path),
  store_name: maybe(path),
  /** The address of a picture; a relative one stands behind `images_url`. */
  image: maybe(path),
}
const Offers = list(offerFields)

/** One offer, for an order or a stream that names one that the list does not tell of. `{id}`: the network's id of it. */
const Offer = Type.Object(
  { url: text(), headers: maybe(texts), item: path, fields: Type.Object(offerFields, closed) },
  closed,
)
const Streams = list({
  extra_id: path,
  name: path,
  url: maybe(path),
  offer_name: maybe(path),
  offer_extra_id: maybe(path),
})

/** What the network itself says it owes. */
const Finance = Type.Object(
  {
    url: text(),
    headers: maybe(texts),
    fields: Type.Object({ balance: maybe(path), hold: maybe(path) }, closed),
  },
  closed,
)

/** A network, as data. What a CPA credential's addresses and mapping name takes the place of what stands here. */
export const ConnectorDescription = Type.Object(
  {
    /** Stands before addresses that begin with a slash. */
    base_url: maybe(text()),
    sign_in: maybe(SignIn),
    /** What every request but the sign-in carries, e.g. {"Authorization": "Bearer {token}"}. */
    headers: maybe(texts),
    orders: maybe(Orders),
    offers: maybe(Offers),
    offer: maybe(Offer),
    /** Where pictures of offers stand that are told by a relative address. */
    images_url: maybe(text()),
    streams: maybe(Streams),
    finance: maybe(Finance),
    money: maybe(
      Type.Object(
        {
          /** Amounts are in this part of the currency's unit: 100 where they come in hundredths. */
          divisor: maybe(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
          currency: maybe(Type.String({ pattern: '^[A-Z]{3}$' })),
        },
        closed,
      ),
    ),
    time: maybe(
      Type.Object(
        {
          /** IANA name, for times without an offset; the installation's otherwise. */
          zone: maybe(Type.String({ maxLength: maxCode })),
          unit: maybe(
            Type.Union([Type.Literal('text'), Type.Literal('seconds'), Type.Literal('milliseconds')]),
          ),
        },
        closed,
      ),
    ),
    manners: maybe(
      Type.Object(
        {
          page_delay_ms: maybe(Type.Integer({ minimum: 0, maximum: 60_000 })),
          timeout_ms: maybe(Type.Integer({ minimum: 1000, maximum: 60_000 })),
          /** Pages of a list that one run reads; the next run goes on. */
          max_pages: maybe(Type.Integer({ minimum: 1, maximum: 100_000 })),
        },
        closed,
      ),
    ),
  },
  closed,
)
export type ConnectorDescription = Static<typeof ConnectorDescription>

/** Parts of a description that have an address of their own. */
const addressed = Object.entries(ConnectorDescription.properties).flatMap(([name, part]) =>
  'properties' in part && 'url' in part.properties ? [name] : [],
)

/**
 * The addresses that a description names, or what overrides one, by where they stand ("orders.url"). Those that begin
 * with a slash are left out: they lead to where `base_url` does.
 */
export function addressesIn(description: Readonly<Record<string, unknown>>): Map<string, string> {
  const found = new Map<string, unknown>([
    ['base_url', description.base_url],
    ['images_url', description.images_url],
  ])
  for (const name of addressed) {
    const part = description[name]
    if (typeof part === 'object' && part !== null && 'url' in part) found.set(`${name}.url`, part.url)
  }
  const whole = (url: unknown): url is string => typeof url === 'string' && url !== '' && !url.startsWith('/')
  return new Map([...found].flatMap(([at, url]) => (whole(url) ? [[at, url] as const] : [])))
}
