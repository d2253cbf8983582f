import { externalId, money, reference, text, url } from '../lib/field.ts'
import { resource } from '../lib/resource.ts'

/** What an affiliate sells: `price` to the buyer, `affiliate_fee` per sold lead. */
export const offers = resource({
  name: 'offers',
  noun: { one: 'offer', many: 'offers' },
  title: 'Offers',
  fields: {
    name: text('Name', { required: 'always', search: true }),
    price: money('Price', { required: 'always' }),
    affiliate_fee: money('Affiliate fee', { required: 'always' }),
    store_name: text('Store name', { required: 'always', search: true }),
    status_id: reference('Status', 'statuses', { required: 'always' }),
    source_id: reference('Source', 'cpa-sources', { required: 'always' }),
    extra_id: externalId('Extra id', { search: true }),
    master_offer_id: reference('Master offer', 'offers'),
    image_url: url('Image', { access: 'read' }),
  },
  columns: ['name', 'price', 'affiliate_fee', 'store_name', 'status_id', 'source_id'],
  quirks: { update: 'POST', itemSlash: false, saveFailure: 'alert' },
})
