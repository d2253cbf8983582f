import { useRef, useState } from 'react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { maxText } from '@karvon/contract/lib/limits.ts'
import {
  getSettlementDifference,
  updateSettlementDifference,
  type SettlementDifference,
  type SettlementDifferenceWithNotes,
} from '@karvon/contract/settlements/differences.ts'
import { Skeleton } from '../../components/display/skeleton.tsx'
import { Timeline } from '../../components/display/timeline.tsx'
import { Select } from '../../components/fields/select.tsx'
import { readFieldText, type FormField, type FormValues } from '../../components/form/form.rules.ts'
import { FormWithDraft } from '../../components/form/form-with-draft.tsx'
import { submitWithFieldErrors } from '../../components/form/submit.ts'
import { Modal } from '../../components/overlay/modal.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { formatDateTime } from '../../lib/format/date-time.format.ts'
import { getErrorMessage, send } from '../../lib/http.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { ActionButton } from '../../resources/action-button.tsx'
import { QueryContent } from '../../resources/query-content.tsx'
import { resourceOptions, useOptions } from '../../resources/reference-options.ts'
import { DifferenceFacts } from './difference-facts.tsx'
import classes from './settlements.module.css'
import { differenceDetailTexts as texts } from './settlements.texts.ts'

type DifferenceDetailProps = { difference: SettlementDifference | null; onClose: () => void }

/** A difference with its notes. It is assigned, explained and resolved here. */
export function DifferenceDetail({ difference, onClose }: DifferenceDetailProps) {
  const id = difference?.id ?? 0
  const query = useQuery({
    queryKey: queryKeys.settlementDifference(id),
    queryFn: ({ signal }) => send(getSettlementDifference, { params: { id }, signal }),
    enabled: difference !== null,
  })
  return (
    <Modal opened={difference !== null} title={difference?.orderno ?? ''} onClose={onClose} width={560}>
      <QueryContent query={query} loadFailed={texts.loadFailed} placeholder={<Skeleton height={320} />}>
        {(loadedDifference) => <DifferenceBody difference={loadedDifference} opened={difference} />}
      </QueryContent>
    </Modal>
  )
}

type DifferenceChange = { status?: 'open' | 'resolved'; note?: string; assignee_id?: number | null }

/** Returns a function that saves a change of the shown version, and reloads what shows the difference. */
function useChange({ id, updated_at }: SettlementDifferenceWithNotes) {
  const client = useQueryClient()
  const toasts = useToasts()
  return async (change: DifferenceChange, toastTitle: string) => {
    try {
      const body = { ...change, updated_at }
      const updatedDifference = await send(updateSettlementDifference, { params: { id }, body })
      client.setQueryData(queryKeys.settlementDifference(id), updatedDifference)
      toasts.show({ title: toastTitle })
    } finally {
      // Also after a conflict, so that the next try begins with the stored version.
      void client.invalidateQueries({ queryKey: queryKeys.settlements })
    }
  }
}

const noteFields: readonly FormField[] = [
  { name: 'note', label: texts.note, kind: 'textarea', required: true, maxLength: maxText },
  { name: 'resolve', label: texts.resolve, kind: 'checkbox' },
]

type DifferenceBodyProps = {
  difference: SettlementDifferenceWithNotes
  /** The row of the list. */
  opened: SettlementDifference | null
}

function DifferenceBody({ difference, opened }: DifferenceBodyProps) {
  const { time_zone: zone } = useSettings()
  const box = useRef<HTMLDivElement>(null)
  const change = useChange(difference)
  const [savedCount, setSavedCount] = useState(0)
  const submit = (values: FormValues) =>
    submitWithFieldErrors(async () => {
      const note = readFieldText(values.note)
      // The form is reset after a change, so its button disappears.
      box.current?.closest<HTMLElement>('[role=dialog]')?.focus()
      if (values.resolve === true) await change({ note, status: 'resolved' }, texts.resolved)
      else await change({ note }, texts.saved)
    })
  return (
    <div ref={box} className={classes.detail}>
      <DifferenceFacts difference={difference} />
      {difference.status === 'open' ? (
        <>
          <Assignee difference={difference} />
          <FormWithDraft
            // A change by somebody else keeps the typed note.
            key={savedCount}
            fields={noteFields}
            draft={{ name: 'settlement-differences', target: opened }}
            submitLabel={({ resolve }) => (resolve === true ? texts.resolveIt : texts.save)}
            loadingText={texts.saving}
            onSubmit={submit}
            onSuccess={() => setSavedCount((count) => count + 1)}
          />
        </>
      ) : (
        <ActionButton
          label={texts.reopen}
          loadingText={texts.saving}
          failureText={texts.saveFailed}
          run={() => change({ status: 'open' }, texts.reopened)}
          onSuccess={() => undefined}
        />
      )}
      {difference.notes.length > 0 && (
        <Timeline
          label={texts.notes}
          events={difference.notes.map((note) => ({
            key: String(note.id),
            title: note.text,
            note: `${formatDateTime(note.created_at, zone)} · ${note.user.name}`,
            isRemark: true,
          }))}
        />
      )}
    </div>
  )
}

const people = resourceOptions('users')

function Assignee({ difference }: { difference: SettlementDifferenceWithNotes }) {
  const toasts = useToasts()
  const change = useChange(difference)
  const { mutate, isPending, variables } = useMutation({
    // One after the other, because each change names the version that it changes.
    scope: { id: 'assignee' },
    mutationFn: (id: string) => change({ assignee_id: id === '' ? null : Number(id) }, texts.assigned),
    onError: (error) =>
      toasts.show({ title: texts.saveFailed, text: getErrorMessage(error), tone: 'danger' }),
  })
  const storedId = difference.assignee_id === null ? '' : String(difference.assignee_id)
  const value = isPending ? variables : storedId
  const { options, onSearch, isLoading } = useOptions(people, [value])
  return (
    <Select
      label={texts.assign}
      emptyOption={texts.nobody}
      options={options}
      onSearch={onSearch}
      loading={isLoading}
      value={value}
      onChange={(id) => mutate(id)}
    />
  )
}
