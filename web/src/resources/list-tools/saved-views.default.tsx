import { useEffect, useRef, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { listSavedViews } from '@karvon/contract/saved-views/saved-views.list.ts'
import { send } from '../../lib/http.ts'
import { queryKeys } from '../../lib/query-keys.ts'

/** Milliseconds for which the default view of a screen counts as fresh. */
const staleMs = 60_000

/** Opens the person's default view of a screen. Render it only where the address selects a screen and nothing else. */
export function DefaultView() {
  const navigate = useNavigate()
  const { pathname, searchStr } = useLocation()
  const address = pathname + searchStr
  const [firstAddress] = useState(address)
  // As getViewScreen of the contract. A first visit does not load its code.
  const [path = '', query] = firstAddress.split('?')
  const keys = new URLSearchParams(query)
  keys.sort()
  const screen = keys.toString() === '' ? path : `${path}?${keys}`
  // Later the person may choose to see the screen without a view.
  const isDone = useRef(false)
  const { data } = useQuery({
    queryKey: queryKeys.defaultView(screen),
    queryFn: ({ signal }) => send(listSavedViews, { query: { screen, is_default: true, limit: 1 }, signal }),
    staleTime: staleMs,
  })
  useEffect(() => {
    if (address !== firstAddress) isDone.current = true
    if (data === undefined || isDone.current) return
    isDone.current = true
    const [view] = data.items
    if (view === undefined) return
    const search = Object.fromEntries(new URLSearchParams(view.address.split('?')[1]))
    void navigate({
      to: '.',
      search: { ...search, view_id: String(view.id) },
      replace: true,
      resetScroll: false,
    })
  }, [data, address, firstAddress, navigate])
  return null
}
