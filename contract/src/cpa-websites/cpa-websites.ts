import { Type, type Static } from 'typebox'
import { call } from '../lib/call.ts'
import { endpoint, Id, json, reference, text, url } from '../lib/field.ts'
import { maxCode, maxJsonKeys, maxLine, maxPreviewRows, maxSecret, maxUrl } from '../lib/limits.ts'
import { resource } from '../lib/resource.ts'
import { nullable } from '../lib/schemas.ts'
import { Reason } from '../lib/problem.ts'

/** How to reach a network: its addresses, and the connector description that they override. */
export const cpaWebsites = resource({
  name: 'cpa-websites',
  noun: { one: 'CPA credential', many: 'CPA credentials' },
  title: 'Credentials',
  fields: {
    name: text('Name', { required: 'always', search: true }),
    cpa_source_id: reference('Source', 'cpa-sources', { required: 'always' }),
    login_url: endpoint('Login URL'),
    finance_url: endpoint('Finance URL'),
    orders_url: endpoint('Orders URL'),
    offers_url: endpoint('Offers URL'),
    streams_url: endpoint('Streams URL'),
    single_offer_url: endpoint('Single offer URL'),
    img_url: url('Image URL'),
    connector: text('Connector', { max: maxCode, feature: 'fetching' }),
    mapping: json('Mapping', { feature: 'fetching' }),
  },
  columns: ['name', 'cpa_source_id', 'login_url', 'finance_url', 'orders_url', 'offers_url', 'streams_url'],
  quirks: { saveFailure: 'thrown' },
})

const address = nullable(Type.String({ maxLength: maxUrl }))
const tryPart = Type.Object({
  ok: Type.Boolean(),
  detail: Type.String({ description: 'The result, or the reason of the failure' }),
  code: Reason.properties.code,
  params: Reason.properties.params,
  rows: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
    maxItems: maxPreviewRows,
    description: 'The first rows, parsed',
  }),
  problems: Type.Array(Type.String(), {
    maxItems: maxPreviewRows,
    description: 'The problems of rows that cannot be read',
  }),
})

/** The results of a test run of a network; a part that the description does not have is null. Nothing is stored. */
const TryAnswer = Type.Object({
  sign_in: nullable(tryPart),
  finance: nullable(tryPart),
  offers: nullable(tryPart),
  streams: nullable(tryPart),
  orders: nullable(tryPart),
  transactions: nullable(tryPart),
  withdrawals: nullable(tryPart),
})
export type TryAnswer = Static<typeof TryAnswer>
export type TryPart = Static<typeof tryPart>

/**
 * Signs in and reads the first page of each list, without storing anything. The body may name a source
 * credential of the same source, or an account to try, and what the form says but is not saved yet.
 */
export const tryCpaWebsite = call({
  id: 'cpa-websites.try',
  summary: 'Test a CPA credential: sign in, read the first page and map its rows; nothing is stored',
  method: 'POST',
  path: '/api/admin/cpa-websites/:id/try/',
  repeat: 'unkeyed',
  feature: 'fetching',
  guard: 'admin',
  params: Type.Object({ id: Id }),
  body: Type.Object({
    source_credential_id: Type.Optional(Id),
    login: Type.Optional(Type.String({ maxLength: maxLine })),
    pass: Type.Optional(Type.String({ maxLength: maxSecret })),
    api_key: Type.Optional(Type.String({ maxLength: maxSecret })),
    token: Type.Optional(Type.String({ maxLength: maxSecret })),
    connector: Type.Optional(Type.String({ maxLength: maxCode })),
    mapping: Type.Optional(
      nullable(Type.Record(Type.String(), Type.Unknown(), { maxProperties: maxJsonKeys })),
    ),
    login_url: Type.Optional(address),
    finance_url: Type.Optional(address),
    orders_url: Type.Optional(address),
    offers_url: Type.Optional(address),
    streams_url: Type.Optional(address),
  }),
  answer: TryAnswer,
})
