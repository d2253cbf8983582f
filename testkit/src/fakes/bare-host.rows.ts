/** A row in JSON. */
export type Row = Readonly<Record<string, unknown>>

const created_at = '2026-11-01T09:00:00+05:00'
const longUrl = 'https://networks.example.org/a/very/long/address'

const figures = {
  leads: 40,
  accepted: 5,
  cancel: 7,
  recall: 3,
  send: 6,
  sold: 11,
  returned: 4,
  hold: 2,
  profit: 123_456.5,
}

/** The rows with the fields of section 3 of the specification, by the last part of the list's path. */
export const bareRows: Readonly<Record<string, readonly Row[]>> = {
  users: [
    {
      id: 1,
      username: 'admin',
      name: 'Admin',
      email: 'admin@example.org',
      role_id: 1,
      role: { name: 'Admin' },
    },
    {
      id: 2,
      username: 'buyer',
      name: 'Buyer',
      email: 'buyer@example.org',
      role_id: 2,
      role: { name: 'Buyer' },
    },
  ].map((row) => ({ ...row, extra_id: null, isActive: true, created_at, updatedAt: created_at })),
  roles: [
    { id: 1, name: 'Admin', code: 'admin', description: 'Manages everything', type: 'system', sources: [] },
    {
      id: 2,
      name: 'Buyer',
      code: 'buyer',
      description: '',
      type: 'person',
      sources: [{ source_id: 1 }, { id: 2 }],
    },
  ].map((row) => ({ ...row, created_at })),
  'cpa-sources': [
    { id: 1, name: '100k.uz', url: longUrl, description: 'Network', is_active: true },
    { id: 2, name: 'Sotuvchi', url: 'https://sotuvchi.example', description: '', is_active: true },
  ],
  'cpa-websites': [
    {
      id: 1,
      name: '100k desk',
      cpa_source_id: 1,
      login_url: longUrl,
      finance_url: '',
      orders_url: null,
      offers_url: null,
      streams_url: null,
      single_offer_url: null,
      img_url: null,
    },
  ],
  'role-source-access': [{ id: 1, role_id: 2, source_id: 1 }],
  'source-credentials': [
    {
      id: 1,
      name: 'Buyer at 100k',
      login: 'buyer',
      api_key: 'key',
      token: 'abcdefghijklmnopqrstuvwxyz',
      token_updated_at: '2026-11-20T09:00:00+05:00',
      user: { name: 'Buyer' },
      source: { name: '100k.uz' },
    },
  ],
  'status-types': [{ id: 1, name: 'Sold', description: 'Paid', is_active: true }],
  statuses: [{ id: 1, name: 'Paid', type_id: 1, is_active: true }],
  'source-statuses': [
    { id: 1, name: 'Paid there', source_name: 'paid', source_name2: null, status_id: 1, source_id: 1 },
  ],
  offers: [
    {
      id: 1,
      name: 'Kettle',
      price: 199_000,
      affiliate_fee: 40_000.5,
      store_name: 'Home',
      extra_id: '77',
      status_id: 1,
      source_id: 1,
      master_offer_id: null,
    },
  ],
  streams: [
    {
      id: 1,
      name: 'Autumn',
      url: longUrl,
      offer_name: 'Kettle',
      offer_id: 1,
      extra_id: null,
      source_id: 1,
      user_id: 2,
      is_active: true,
    },
  ],
}

/** The reports, by the last part of their path. */
export const bareReports: Readonly<Record<string, readonly Row[]>> = {
  sources: [{ id: 1, name: '100k.uz' }],
  fin: [{ name: '100k.uz', profit: 123_456.5 }],
  stats: [{ name: '100k.uz', ...figures }],
  daily: [
    { date: '2026-11-21', ...figures },
    { date: '2026-11-20', ...figures, leads: 12, profit: 0 },
  ],
  offers: [{ name: 'Kettle', ...figures }],
  streams: [{ name: 'Autumn', ...figures }],
}

const codes = ['DELIVERED', 'IN_TRANSIT', 'TRANSIT', 'PROCESSING', 'PENDING', 'RETURNED', 'LOST']

export const bareParcels: readonly Row[] = codes.map((code, index) => ({
  id: index + 1,
  orderno: `ORD-${index + 1}`,
  barcode: `4780000${index}`,
  status: { code, title: `Title of ${code}`, eventtime: '2026-11-20T12:00:00+05:00' },
  date: '2026-11-20',
  package: { type_name: 'Box', weight: 1.5, quantity: 1, service_name: 'Courier', delivery_price: 25_000 },
  receiver: { person: 'Aziza', company: '', phone: '+998901234567', address: 'Navoi 1', town: 'Tashkent' },
}))
