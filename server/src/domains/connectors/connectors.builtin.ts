import type { ConnectorDescription } from '@karvon/contract/connectors/description.ts'

/** A connector that comes with the product. */
interface BuiltIn {
  code: string
  name: string
  description: ConnectorDescription
}

const hundredOfferFields = {
  extra_id: 'id',
  name: 'title',
  price: 'price',
  affiliate_fee: 'admin_fee',
  image: 'image',
}

/**
 * The descriptions follow public client code of these networks. The addresses and the mapping of a CPA
 * credential override parts that a network has changed since.
 */
export const builtInConnectors: readonly BuiltIn[] = [
  {
    code: '100k',
    name: '100k.uz',
    description: {
      base_url: 'https://api.100k.uz/api',
      sign_in: {
        url: '/auth/sign-in',
        body: { username: '{login}', password: '{pass}' },
        token: 'data',
      },
      headers: { Authorization: 'Bearer {token}' },
      orders: {
        url: '/advertiser/orders',
        items: 'data',
        paging: { by: 'page', param: 'page', last: 'meta.last_page' },
        fields: {
          external_id: 'id',
          status: 'status',
          created_at: 'created_at',
          updated_at: 'updated_at',
          payout: 'advertising_price',
          offer: 'product_title',
          stream: 'stream_name',
          stream_extra_id: 'stream_id',
          comment: 'cancel_reason',
          region: 'region',
          cancel_reason: 'cancel_reason',
        },
      },
      offers: {
        url: '/advertiser/products',
        items: 'data',
        paging: { by: 'page', param: 'page', last: 'meta.last_page' },
        fields: hundredOfferFields,
      },
      offer: { url: '/advertiser/products/{id}', item: 'data', fields: hundredOfferFields },
      streams: {
        url: '/advertiser/streams',
        items: 'data',
        paging: { by: 'page', param: 'page', last: 'meta.last_page' },
        fields: { extra_id: 'id', name: 'name', url: 'link', offer_extra_id: 'product_id' },
      },
      finance: {
        url: '/advertiser/profile',
        // Public clients do not show whether this answer has the envelope of the lists.
        fields: { balance: 'data.balance|balance', hold: 'data.hold_balance|hold_balance' },
      },
      // The words of types and statuses are assumed: public clients show only the fields.
      transactions: {
        url: '/advertiser/transactions',
        items: 'data',
        paging: { by: 'page', param: 'page', last: 'meta.last_page' },
        fields: {
          extra_id: 'id',
          amount: 'amount',
          type: 'type',
          target_type: 'target_type',
          target_id: 'target_id',
          comment: 'comment',
          created_at: 'created_at',
        },
        order_target_types: ['order', 'orders'],
        withdrawal_target_types: ['withdraw', 'withdraws', 'withdrawal'],
      },
      withdrawals: {
        url: '/advertiser/withdraws',
        items: 'data',
        paging: { by: 'page', param: 'page', last: 'meta.last_page' },
        fields: {
          extra_id: 'id',
          account: 'account',
          amount: 'amount',
          status: 'status',
          created_at: 'created_at',
        },
        paid_statuses: ['paid', 'success', 'completed', 'done'],
      },
      time: { zone: 'Asia/Tashkent' },
    },
  },
  {
    code: 'sotuvchi',
    name: 'sotuvchi.com',
    description: {
      base_url: 'https://apiv3.sotuvchi.com/api',
      sign_in: {
        url: '/login',
        body: { email: '{login}', password: '{pass}' },
        headers: { 'Accept-Language': 'uz' },
        token: 'token',
      },
      headers: { Authorization: 'Bearer {token}', 'Accept-Language': 'uz' },
      orders: {
        url: '/getOrders',
        items: 'orders.data',
        paging: {
          by: 'page',
          param: 'page',
          size_param: 'limit',
          size: 100,
          last: 'orders.last_page',
        },
        fields: {
          external_id: 'id',
          status: 'status',
          created_at: 'created_at',
          payout: 'pay_for',
          offer: 'offer.name',
          offer_extra_id: 'offer_id',
        },
      },
      money: { currency: 'UZS' },
      time: { zone: 'Asia/Tashkent' },
    },
  },
  {
    code: 'generic',
    name: 'Generic JSON',
    description: {
      headers: { Authorization: 'Bearer {token}' },
      orders: {
        url: '',
        items: 'items',
        paging: { by: 'page', param: 'page', size_param: 'per_page', size: 100, last: 'meta.last_page' },
        fields: {
          external_id: 'id',
          status: 'status',
          created_at: 'created_at',
          updated_at: 'updated_at',
          payout: 'payout',
          currency: 'currency',
          offer: 'offer.name',
          offer_extra_id: 'offer.id',
          stream: 'stream.name',
          stream_extra_id: 'stream.id',
          comment: 'comment',
        },
      },
    },
  },
]
