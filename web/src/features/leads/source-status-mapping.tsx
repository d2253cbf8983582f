import { useRef } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { UnmappedStatus } from '@karvon/contract/leads/unmapped.ts'
import { sourceStatuses } from '@karvon/contract/source-statuses/source-statuses.ts'
import type { Option } from '../../components/fields/options.ts'
import { Select } from '../../components/fields/select.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { getErrorMessage } from '../../lib/http.ts'
import { resourceOptions, useOptions } from '../../resources/reference-options.ts'
import { resourceApi } from '../../resources/resource.api.ts'
import { unmappedTexts as texts } from './unmapped.texts.ts'
import { queryKeys } from '../../lib/query-keys.ts'

const statusOptions = resourceOptions('statuses')
const api = resourceApi(sourceStatuses)

/** Maps a source status to the selected status. The row then leaves the list. */
export function SourceStatusMapping({ row: { source_id, source, word } }: { row: UnmappedStatus }) {
  const { options, onSearch } = useOptions(statusOptions)
  const client = useQueryClient()
  const toasts = useToasts()
  const box = useRef<HTMLDivElement>(null)
  const { mutate, isPending, error, variables } = useMutation({
    mutationFn: (id: string) =>
      api.create({ name: word, source_name: word, source_id, status_id: Number(id) }),
    onSuccess: async (_mapping, id) => {
      const status = options.find((option: Option) => option.value === id)?.label ?? `#${id}`
      toasts.show({
        title: texts.mapped,
        text: texts.undo({ sourceStatus: word, source: source.name, status }),
      })
      const next = findNeighbour(box.current)
      await Promise.all(
        [queryKeys.leads, queryKeys.reports, queryKeys.resource(sourceStatuses.name)].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      )
      next?.focus()
    },
  })
  return (
    <div ref={box} data-mapping>
      <Select
        label={texts.map({ sourceStatus: word || texts.none, source: source.name })}
        hideLabel
        placeholder={isPending ? undefined : texts.choose}
        options={options}
        onSearch={onSearch}
        clearable={false}
        disabled={isPending}
        value={isPending || error ? (variables ?? '') : ''}
        error={error && getErrorMessage(error)}
        onChange={(id) => mutate(id)}
      />
    </div>
  )
}

/** The select of the next row, else of the previous row. It gets the focus when this row leaves. */
function findNeighbour(box: HTMLElement | null): HTMLElement | null {
  const inputs = [...document.querySelectorAll<HTMLElement>('[data-mapping] input')]
  const at = inputs.findIndex((input) => box?.contains(input))
  return inputs[at + 1] ?? inputs[at - 1] ?? null
}
