import { useRef } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { UnmappedWord } from '@karvon/contract/leads/leads.ts'
import { sourceStatuses } from '@karvon/contract/source-statuses/source-statuses.ts'
import type { Option } from '../../components/fields/radio-group.tsx'
import { Select } from '../../components/fields/select.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { reasonOf } from '../../lib/http.ts'
import { resourceNames, useNames } from '../../resources/names.ts'
import { resourceApi } from '../../resources/resource.api.ts'
import { unmappedTexts as texts } from './leads.texts.ts'

const statuses = resourceNames('statuses')
const api = resourceApi(sourceStatuses)

/** Gives a word its status as soon as one is chosen; the row then leaves the list. */
export function WordMapping({ of: { source_id, source, word } }: { of: UnmappedWord }) {
  const { options, onSearch } = useNames(statuses)
  const client = useQueryClient()
  const toasts = useToasts()
  const box = useRef<HTMLDivElement>(null)
  const { mutate, isPending, error, variables } = useMutation({
    mutationFn: (id: string) =>
      api.create({ name: word, source_name: word, source_id, status_id: Number(id) }),
    onSuccess: async (_made, id) => {
      const status = options.find((option: Option) => option.value === id)?.label ?? `#${id}`
      toasts.show({ title: texts.mapped, text: texts.undo(word, source.name, status) })
      const next = neighbourOf(box.current)
      await Promise.all(
        [['leads'], ['report'], ['resource', sourceStatuses.name]].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      )
      next?.focus()
    },
  })
  return (
    <div ref={box} data-mapping>
      <Select
        label={texts.mapWord(word, source.name)}
        hideLabel
        placeholder={isPending ? undefined : texts.choose}
        options={options}
        onSearch={onSearch}
        clearable={false}
        disabled={isPending}
        value={isPending || error ? (variables ?? '') : ''}
        error={error && reasonOf(error)}
        onChange={(id) => mutate(id)}
      />
    </div>
  )
}

/** The select of the row after this one, else of the one before: where the focus goes when this row leaves. */
function neighbourOf(box: HTMLElement | null): HTMLElement | null {
  const all = [...document.querySelectorAll<HTMLElement>('[data-mapping] input')]
  const at = all.findIndex((input) => box?.contains(input))
  return all[at + 1] ?? all[at - 1] ?? null
}
