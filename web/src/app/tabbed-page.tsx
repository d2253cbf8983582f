import type { ComponentType } from 'react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ListSearch } from '../kit/table-state.ts'
import { Tabs } from '../ui/display/tabs.tsx'

interface PageTab {
  readonly value: string
  readonly label: string
  readonly Page: ComponentType
}

/** Pages of several domains side by side, chosen by the query parameter `tab`; the first is the default. */
export function TabbedPage({ label, tabs }: { label: string; tabs: readonly [PageTab, ...PageTab[]] }) {
  const { tab }: ListSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const shown = tabs.find(({ value }) => value === tab) ?? tabs[0]
  return (
    <Tabs
      label={label}
      tabs={tabs}
      value={shown.value}
      onChange={(value) => void navigate({ to: '.', search: value === tabs[0].value ? {} : { tab: value } })}
    >
      <shown.Page key={shown.value} />
    </Tabs>
  )
}
