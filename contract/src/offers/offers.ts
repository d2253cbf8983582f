import { externalId, money, reference, text, url } from '../lib/field.ts'
import { resource } from '../lib/resource.ts'

/** What an affiliate sells: `price` to the buyer, `affiliate_fee` per sold lead. */
export const offers = resource({
  name: 'offers',
  noun: { one: 'offer', many: 'offers' },
  title: 'Offers',
  fields: {
    name: text('Name', { need: 'save', search: true }),
    price: money('Price', { need: 'save' }),
    affiliate_fee: money('Affiliate fee', { need: 'save' }),
    store_name: text('Store name', { need: 'save', search: true }),
    status_id: reference('Status', 'statuses', { need: 'save' }),
    source_id: reference('Source', 'cpa-sources', { need: 'save' }),
    extra_id: externalId('Extra id', { search: true }),
    master_offer_id: reference('Master offer', 'offers'),
    image_url: url('Image', { access: 'read' }),
  },
  columns: ['name', 'price', 'affiliate_fee', 'store_name', 'status_id', 'source_id'],
  quirks: { update: 'POST', itemSlash: false, saveFailure: 'alert' },
})
