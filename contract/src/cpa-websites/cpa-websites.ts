import { json, reference, text, url } from '../kit/field.ts'
import { resource } from '../kit/resource.ts'

/** How to reach a network: its addresses, and the connector description that they override. */
export const cpaWebsites = resource({
  name: 'cpa-websites',
  noun: { one: 'CPA credential', many: 'CPA credentials' },
  title: 'Credentials',
  fields: {
    name: text('Name', { need: 'save', search: true }),
    cpa_source_id: reference('Source', 'cpa-sources', { need: 'save' }),
    login_url: url('Login URL'),
    finance_url: url('Finance URL'),
    orders_url: url('Orders URL'),
    offers_url: url('Offers URL'),
    streams_url: url('Streams URL'),
    single_offer_url: url('Single offer URL'),
    img_url: url('Image URL'),
    connector: text('Connector', { max: 100 }),
    mapping: json('Mapping'),
  },
  columns: ['name', 'cpa_source_id', 'login_url', 'finance_url', 'orders_url', 'offers_url', 'streams_url'],
  quirks: { saveFailure: 'thrown' },
})
