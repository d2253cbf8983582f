import type { Kind } from '@karvon/contract/lib/field.ts'
import { reportColumnNames } from '@karvon/contract/lib/report-columns.ts'
import { languages } from '../../lib/i18n/language.ts'
import { getLabel } from '../../resources/resource.labels.ts'
import { auditTexts as texts } from './audit.texts.ts'

// A key means the same in every resource, so one list is enough. The declarations of all resources would be a chunk more for each
// of their pages. A test compares both.

/** The labels of the fields of resources, in English. */
const labels: Readonly<Record<string, string>> = {
  affiliate_fee: 'Affiliate fee',
  api_key: 'API key',
  cash_fee: 'Cash fee',
  cash_percent: 'Cash fee, %',
  code: 'Code',
  connector: 'Connector',
  courier_account_id: 'Courier account',
  cpa_source_id: 'Source',
  delivery_fee: 'Delivery fee',
  description: 'Description',
  email: 'Email',
  extra: 'Extra',
  extra_id: 'Extra id',
  finance_url: 'Finance URL',
  image_url: 'Image',
  img_url: 'Image URL',
  is_active: 'Active',
  is_builtin: 'Built in',
  login: 'Login',
  login_url: 'Login URL',
  mapping: 'Mapping',
  master_offer_id: 'Master offer',
  name: 'Name',
  offer_id: 'Offer',
  offer_name: 'Offer name',
  offers_url: 'Offers URL',
  orders_url: 'Orders URL',
  pass: 'Password',
  password: 'Password',
  postback_key: 'Postback key',
  price: 'Price',
  role_id: 'Role',
  second_factor: 'Second factor',
  settlement_days: 'Settlement days',
  single_offer_url: 'Single offer URL',
  source_id: 'Source',
  source_ids: 'Sources',
  source_name: 'Source name',
  source_name2: 'Source name 2',
  state: 'State',
  status_id: 'Status',
  store_name: 'Store name',
  stream_id: 'Stream',
  streams_url: 'Streams URL',
  token: 'Token',
  token_updated_at: 'Token updated',
  type: 'Type',
  type_id: 'Type',
  url: 'URL',
  user_id: 'User',
  username: 'Username',
  valid_from: 'Valid from',
  waiting: 'Waiting',
}

const readOwn = <Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined

/** The name of a field, or its name on the wire if the web does not know it. `resource`: what was changed. */
export function getFieldLabel(key: string, resource: string): string {
  const label = readOwn(labels, key)
  return label === undefined ? (readOwn(texts.fields, key) ?? key) : getLabel(label, resource)
}

/** The resources whose rows the ids of a field name. */
const targets: Readonly<Record<string, string>> = {
  assignee_id: 'users',
  buyer_ids: 'users',
  courier_account_id: 'courier-accounts',
  cpa_source_id: 'cpa-sources',
  created_by: 'users',
  master_offer_id: 'offers',
  offer_id: 'offers',
  offer_ids: 'offers',
  receiver_role_ids: 'roles',
  resolved_by: 'users',
  role_id: 'roles',
  shared_role_ids: 'roles',
  source_id: 'cpa-sources',
  source_ids: 'cpa-sources',
  status_id: 'statuses',
  stream_id: 'streams',
  stream_ids: 'streams',
  type_id: 'status-types',
  user_id: 'users',
}

export const findTarget = (key: string): string | undefined => readOwn(targets, key)

const targetNames = new Set(Object.values(targets))

/** Whether fields name the rows of a resource by their ids. */
export const isTarget = (resource: string): boolean => targetNames.has(resource)

const kinds: Readonly<Record<string, Kind>> = {
  account_id: 'external-id',
  affiliate_fee: 'money',
  amount: 'money',
  cash_fee: 'money',
  cash_percent: 'money',
  delivery_fee: 'money',
  end_date: 'day',
  fixed: 'money',
  gap_from: 'time',
  gap_to: 'time',
  lead_id: 'external-id',
  minimum: 'money',
  price: 'money',
  start_date: 'day',
  token_updated_at: 'time',
  valid_from: 'day',
}

/** How the values of a field are formatted. Undefined: as texts and numbers. */
export const findKind = (key: string): Kind | undefined => readOwn(kinds, key)

const stateLabels: Readonly<Record<string, string>> = reportColumnNames
const languageNames: Readonly<Record<string, string>> = languages
const choices = new Set(['against', 'by', 'condition', 'earned_at', 'outcome', 'status'])

/** The name of a choice. Undefined for a value that is none. */
export function findChoice(key: string, value: string): string | undefined {
  if (key === 'state') return getLabel(readOwn(stateLabels, value) ?? value)
  if (key === 'language') return readOwn(languageNames, value)
  return choices.has(key) ? readOwn(texts.values, value) : undefined
}
