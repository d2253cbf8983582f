import { Type, type Static, type TSchema } from 'typebox'
import { maxCode, maxLine, maxText } from '../lib/limits.ts'
import { Currency } from '../lib/money.ts'

// The description of a network's API. A path such as "data.items" or "orders.data" is a value in an answer; '' is the
// whole answer, and "data.balance|balance" the first of two paths that exists. Texts may contain the placeholders {login}
// {pass} {api_key} {token}, and those in their own comments.

const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)
const text = (maxLength = maxText) => Type.String({ maxLength })
const path = Type.String({ maxLength: maxLine })
const texts = Type.Record(Type.String({ maxLength: maxCode }), text())
const noOtherMembers = { additionalProperties: false }

/** A request whose answer contains a token. Without it, the credential's own token or API key is used. */
const SignIn = Type.Object(
  {
    url: text(),
    method: optional(Type.Union([Type.Literal('POST'), Type.Literal('GET')])),
    form: optional(Type.Union([Type.Literal('json'), Type.Literal('form')])),
    body: optional(texts),
    headers: optional(texts),
    /** The path of the token in the answer. */
    token: path,
  },
  noOtherMembers,
)

/**
 * The paging strategy. `page`: a page number in `param`, from `first` (1). `offset`: the number of rows to skip in
 * `param`. `next`: the answer has the URL of the next page at `next`. `none`: there is one page.
 * The list ends with an empty page, at the page number `last`, or after `total` rows.
 */
const Paging = Type.Object(
  {
    by: Type.Union([
      Type.Literal('page'),
      Type.Literal('offset'),
      Type.Literal('next'),
      Type.Literal('none'),
    ]),
    param: optional(Type.String({ maxLength: maxCode })),
    first: optional(Type.Integer({ minimum: 0, maximum: 1 })),
    size_param: optional(Type.String({ maxLength: maxCode })),
    size: optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    last: optional(path),
    total: optional(path),
    next: optional(path),
  },
  noOtherMembers,
)

/** A list. `items` is the path of its rows; `fields` has the path of each of our fields in a row. */
function list<F extends Record<string, TSchema>>(fields: F) {
  return Type.Object(
    {
      url: text(),
      query: optional(texts),
      headers: optional(texts),
      items: path,
      paging: Paging,
      fields: Type.Object(fields, noOtherMembers),
    },
    noOtherMembers,
  )
}

/**
 * `newest_first: false`: new orders are last, so every sync run reads all pages. `updated_since`: a query parameter that
 * filters the orders that changed since a time. The daily scan of all orders uses it.
 */
const Orders = Type.Object(
  {
    ...list({
      external_id: path,
      status: path,
      created_at: path,
      updated_at: optional(path),
      payout: optional(path),
      currency: optional(path),
      offer: optional(path),
      offer_extra_id: optional(path),
      stream: optional(path),
      stream_extra_id: optional(path),
      comment: optional(path),
      region: optional(path),
      cancel_reason: optional(path),
    }).properties,
    newest_first: optional(Type.Boolean()),
    updated_since: optional(
      Type.Object(
        {
          param: Type.String({ minLength: 1, maxLength: maxCode }),
          /** The format of the time: `text` is ISO 8601 in UTC, `day` is yyyy-mm-dd. */
          unit: optional(
            Type.Union([
              Type.Literal('text'),
              Type.Literal('day'),
              Type.Literal('seconds'),
              Type.Literal('milliseconds'),
            ]),
          ),
        },
        noOtherMembers,
      ),
    ),
  },
  noOtherMembers,
)
const offerFields = {
  extra_id: path,
  name: path,
  price: optional(path),
  affiliate_fee: optional(path),
  store_name: optional(path),
  /** The URL of an image. A relative URL is appended to `images_url`. */
  image: optional(path),
}
const Offers = list(offerFields)

/** A single offer, for orders and streams whose offer is not in the list. `{id}` is the network's id of the offer. */
const Offer = Type.Object(
  { url: text(), headers: optional(texts), item: path, fields: Type.Object(offerFields, noOtherMembers) },
  noOtherMembers,
)
const Streams = list({
  extra_id: path,
  name: path,
  url: optional(path),
  offer_name: optional(path),
  offer_extra_id: optional(path),
})

const words = Type.Array(Type.String({ maxLength: maxCode }), { maxItems: 20 })

/**
 * The entries of the account at the network, newest first. `amount`: positive for money that the account gets.
 * `order_target_types`, `withdrawal_target_types`: the values of `target_type` of an order and of a withdrawal, whose id
 * is at `target_id`. Without `extra_id` an entry is known by all of its values.
 */
const Transactions = Type.Object(
  {
    ...list({
      extra_id: optional(path),
      amount: path,
      type: optional(path),
      target_type: optional(path),
      target_id: optional(path),
      comment: optional(path),
      created_at: path,
    }).properties,
    order_target_types: optional(words),
    withdrawal_target_types: optional(words),
  },
  noOtherMembers,
)

/**
 * The withdrawals from the account at the network, newest first. `paid_statuses`: the values of `status` that mean paid.
 * Without `extra_id` a withdrawal is known by its account, amount and time.
 */
const Withdrawals = Type.Object(
  {
    ...list({
      extra_id: optional(path),
      account: optional(path),
      amount: path,
      status: path,
      created_at: path,
    }).properties,
    paid_statuses: words,
  },
  noOtherMembers,
)

/**
 * The amounts that the network owes. `balance`: what can be withdrawn. `hold`: what cannot be withdrawn yet. `hold_of`:
 * the orders that the hold is for, `sold` by default; the money of `open` orders is not earned yet.
 */
const Finance = Type.Object(
  {
    url: text(),
    headers: optional(texts),
    fields: Type.Object({ balance: optional(path), hold: optional(path) }, noOtherMembers),
    hold_of: optional(Type.Union([Type.Literal('sold'), Type.Literal('open')])),
  },
  noOtherMembers,
)

/** The description of a network. The addresses and the mapping of a CPA credential override it. */
export const ConnectorDescription = Type.Object(
  {
    /** The prefix of addresses that begin with a slash. */
    base_url: optional(text()),
    sign_in: optional(SignIn),
    /** Headers of every request except the sign-in, e.g. {"Authorization": "Bearer {token}"}. */
    headers: optional(texts),
    orders: optional(Orders),
    offers: optional(Offers),
    offer: optional(Offer),
    /** The base of relative URLs of images. */
    images_url: optional(text()),
    streams: optional(Streams),
    finance: optional(Finance),
    transactions: optional(Transactions),
    withdrawals: optional(Withdrawals),
    money: optional(
      Type.Object(
        {
          /** Amounts are divided by this number: 100 if the network gives hundredths. */
          divisor: optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
          currency: optional(Currency),
        },
        noOtherMembers,
      ),
    ),
    time: optional(
      Type.Object(
        {
          /** IANA name of the time zone of times without an offset. The default is the installation's time zone. */
          zone: optional(Type.String({ maxLength: maxCode })),
          unit: optional(
            Type.Union([Type.Literal('text'), Type.Literal('seconds'), Type.Literal('milliseconds')]),
          ),
        },
        noOtherMembers,
      ),
    ),
    limits: optional(
      Type.Object(
        {
          page_delay_ms: optional(Type.Integer({ minimum: 0, maximum: 60_000 })),
          /** Milliseconds until the whole answer to a request has arrived; 30,000 by default. */
          timeout_ms: optional(Type.Integer({ minimum: 1000, maximum: 60_000 })),
          /** Maximum number of pages of a list in one run. The next run continues. */
          max_pages: optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
        },
        noOtherMembers,
      ),
    ),
  },
  noOtherMembers,
)
export type ConnectorDescription = Static<typeof ConnectorDescription>

/** The parts of a description that have a URL. */
const partsWithUrl = Object.entries(ConnectorDescription.properties).flatMap(([name, part]) =>
  'properties' in part && 'url' in part.properties ? [name] : [],
)

/**
 * The URLs of a description or of an override, by their path ("orders.url"). URLs that begin with a slash are left out,
 * because they have the host of `base_url`.
 */
export function listUrls(description: Readonly<Record<string, unknown>>): Map<string, string> {
  const entries = new Map<string, unknown>([
    ['base_url', description.base_url],
    ['images_url', description.images_url],
  ])
  for (const name of partsWithUrl) {
    const part = description[name]
    if (typeof part === 'object' && part !== null && 'url' in part) entries.set(`${name}.url`, part.url)
  }
  const isAbsolute = (url: unknown): url is string =>
    typeof url === 'string' && url !== '' && !url.startsWith('/')
  return new Map([...entries].flatMap(([at, url]) => (isAbsolute(url) ? [[at, url] as const] : [])))
}
