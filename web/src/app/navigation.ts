import type { ComponentType } from 'react'
import type { AppSettings } from '@karvon/contract/app/app.ts'
import type { Feature } from '@karvon/contract/lib/features.ts'
import type { Icon } from '../components/actions/icons.tsx'
import {
  BoxIcon,
  ChartIcon,
  ComponentsIcon,
  FlowIcon,
  GearIcon,
  GridIcon,
  TagIcon,
  UsersIcon,
  WalletIcon,
} from '../components/actions/icons.tsx'
import { lazyOptional } from '../components/lazy-optional.ts'
import { isAnnounced } from '../lib/settings.store.ts'
import { appTexts } from './app.texts.ts'

const { tabs, titles, menu } = appTexts

const UnmappedCount = lazyOptional(
  async () => (await import('../features/leads/unmapped-count.tsx')).UnmappedStatusCount,
)
const ProblemCount = lazyOptional(
  async () => (await import('../features/parcels/problem-count.tsx')).ProblemCount,
)

/** The parcels page, with the number of parcels that have a problem. */
const parcels = { label: menu.parcels, to: '/parcels', Count: ProblemCount }

/** A link of the second level. `tab` is the page's query parameter, absent for its default tab. */
export interface NavPage {
  readonly label: string
  readonly to: string
  readonly tab?: string
  /** The feature that the host must announce for the page. */
  readonly feature?: Feature
  /** The number of open items of the page, beside its label. */
  readonly Count?: ComponentType
}

/** An entry of the first level. It opens the second level with its pages. */
export interface NavSection {
  readonly label: string
  readonly icon: Icon
  readonly to: string
  readonly pages: readonly NavPage[]
}

/**
 * The admin's sidebar (specification, section 2), with the pages of all features; see {@link
 * filterAvailablePages} and {@link filterAvailableSections}.
 */
export const adminSections: readonly NavSection[] = [
  {
    label: menu.dashboard,
    icon: GridIcon,
    to: '/dashboard',
    pages: [parcels, { label: titles.uploads, to: '/uploads', feature: 'telegram_queue' }],
  },
  {
    label: menu.people,
    icon: UsersIcon,
    to: '/users',
    pages: [
      { label: titles.users, to: '/users' },
      { label: titles.sessions, to: '/sessions', feature: 'sessions' },
      { label: titles.audit, to: '/audit', feature: 'audit' },
    ],
  },
  { label: titles.offers, icon: TagIcon, to: '/offers', pages: [{ label: menu.allOffers, to: '/offers' }] },
  {
    label: titles.streams,
    icon: FlowIcon,
    to: '/streams',
    pages: [
      { label: menu.allStreams, to: '/streams' },
      { label: tabs.templates, to: '/leads', tab: 'templates', feature: 'leads' },
    ],
  },
  {
    label: titles.statistics,
    icon: ChartIcon,
    to: '/statistics',
    pages: [
      { label: tabs.daily, to: '/statistics' },
      { label: tabs.offers, to: '/statistics', tab: 'offers' },
      { label: tabs.streams, to: '/statistics', tab: 'streams' },
      { label: tabs.money, to: '/statistics', tab: 'money', feature: 'money' },
      { label: titles.explore, to: '/explore', feature: 'explore' },
      { label: tabs.leads, to: '/leads', feature: 'leads' },
      { label: tabs.unmapped, to: '/leads', tab: 'unmapped', feature: 'leads', Count: UnmappedCount },
      { label: tabs.postbacks, to: '/leads', tab: 'postbacks', feature: 'leads' },
      { label: tabs.outgoing, to: '/leads', tab: 'outgoing', feature: 'leads' },
    ],
  },
  {
    label: titles.settlements,
    icon: WalletIcon,
    to: '/settlements',
    pages: [
      { label: tabs.withdrawals, to: '/settlements', feature: 'payouts' },
      { label: tabs.registries, to: '/settlements', tab: 'registries', feature: 'payouts' },
      { label: tabs.accounts, to: '/settlements', tab: 'accounts', feature: 'payouts' },
      { label: tabs.entries, to: '/settlements', tab: 'entries', feature: 'payouts' },
      { label: tabs.statements, to: '/settlements', tab: 'statements', feature: 'payouts' },
      { label: tabs.acts, to: '/settlements', tab: 'acts', feature: 'settlements' },
      { label: tabs.differences, to: '/settlements', tab: 'differences', feature: 'settlements' },
      { label: tabs.tariffs, to: '/settlements', tab: 'tariffs', feature: 'settlements' },
      { label: tabs.payoutTerms, to: '/settlements', tab: 'terms', feature: 'payouts' },
    ],
  },
  {
    label: titles.components,
    icon: ComponentsIcon,
    to: '/components-demo',
    pages: [{ label: menu.allComponents, to: '/components-demo' }],
  },
  {
    label: menu.settings,
    icon: GearIcon,
    to: '/settings/cpa-websites',
    pages: [
      { label: titles.cpa, to: '/settings/cpa-websites' },
      { label: titles.statuses, to: '/settings/statuses' },
      { label: titles.courier, to: '/settings/courier', feature: 'fetching' },
    ],
  },
]

/** The sidebar of a person who is not an admin: the second level alone. */
export const personSection: NavSection = {
  label: menu.parcels,
  icon: BoxIcon,
  to: '/parcels',
  pages: [parcels],
}

/** The pages of a person who is not an admin. The profile menu links to the statistics. */
export const personPages: readonly NavPage[] = [
  ...personSection.pages,
  { label: titles.statistics, to: '/statistics' },
  { label: titles.explore, to: '/explore', feature: 'explore' },
  { label: tabs.leads, to: '/leads', feature: 'leads' },
]

/** The own pages of everybody. The profile menu and the header link to them. */
export const ownPages: readonly NavPage[] = [
  { label: appTexts.profile, to: '/profile', feature: 'profile' },
  { label: titles.money, to: '/money', feature: 'payouts' },
  { label: titles.alerts, to: '/alerts', feature: 'alerts' },
]

/** The pages whose feature the host announces. */
export const filterAvailablePages = (pages: readonly NavPage[], settings: AppSettings): readonly NavPage[] =>
  pages.filter(({ feature }) => isAnnounced(feature, settings))

/** The sections that have a page whose feature the host announces. */
export const filterAvailableSections = (settings: AppSettings): readonly NavSection[] =>
  adminSections.filter(({ pages }) => filterAvailablePages(pages, settings).length > 0)

/** The section of a page: the one that has the page's tab, else the one that has its path without a tab. */
export function findSection(path: string, tab: string | undefined): NavSection | undefined {
  const findByTab = (pageTab: string | undefined) =>
    adminSections.find(({ pages }) => pages.some((page) => page.to === path && page.tab === pageTab))
  return findByTab(tab) ?? findByTab(undefined)
}
