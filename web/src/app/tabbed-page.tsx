import type { ComponentType } from 'react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Feature } from '@karvon/contract/lib/features.ts'
import { isAnnounced, useSettings } from '../lib/settings.store.ts'
import type { ListSearch } from '../lib/table-state.ts'
import { Tabs } from '../components/display/tabs.tsx'

interface PageTab {
  readonly value: string
  readonly label: string
  readonly Page: ComponentType
  /** The feature that the host must announce for the tab. */
  readonly feature?: Feature
}

/** Pages of several domains as tabs. The query parameter `tab` selects one; the first is the default. */
export function TabbedPage({ label, tabs }: { label: string; tabs: readonly [PageTab, ...PageTab[]] }) {
  const { tab }: ListSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const settings = useSettings()
  const availableTabs = tabs.filter(({ feature }) => isAnnounced(feature, settings))
  const shownTab = availableTabs.find(({ value }) => value === tab) ?? tabs[0]
  return (
    <Tabs
      label={label}
      tabs={availableTabs}
      value={shownTab.value}
      onChange={(value) => void navigate({ to: '.', search: value === tabs[0].value ? {} : { tab: value } })}
    >
      <shownTab.Page key={shownTab.value} />
    </Tabs>
  )
}
