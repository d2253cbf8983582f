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
  /** What the host must announce for the tab to be there. */
  readonly feature?: Feature
}

/** Pages of several domains side by side, chosen by the query parameter `tab`; the first is the default. */
export function TabbedPage({ label, tabs }: { label: string; tabs: readonly [PageTab, ...PageTab[]] }) {
  const { tab }: ListSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const settings = useSettings()
  const offered = tabs.filter(({ feature }) => isAnnounced(feature, settings))
  const shown = offered.find(({ value }) => value === tab) ?? tabs[0]
  return (
    <Tabs
      label={label}
      tabs={offered}
      value={shown.value}
      onChange={(value) => void navigate({ to: '.', search: value === tabs[0].value ? {} : { tab: value } })}
    >
      <shown.Page key={shown.value} />
    </Tabs>
  )
}
