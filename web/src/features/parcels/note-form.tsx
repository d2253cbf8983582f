import { isTooLong } from '../../components/fields/max-length.ts'
import { maxText } from '@karvon/contract/lib/limits.ts'
import { useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { noteParcel } from '@karvon/contract/parcels/parcels.ts'
import { Button } from '../../components/actions/button.tsx'
import { TextArea } from '../../components/fields/text-area.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { send } from '../../lib/http.ts'
import { useFocusAfterBusy } from '../../components/focus-after-busy.hook.ts'
import { getRussianErrorMessage } from '../../resources/russian-errors.ts'
import type { ReceivedParcelWithHistory } from './parcel.received.ts'
import { uploadTexts } from './parcels.texts.ts'
import classes from './problems.module.css'
import { problemTexts } from './problems.texts.ts'
import { typedMark } from '../../components/overlay/layer.store.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useDraftText } from '../../components/form/draft.hook.ts'

const { note: texts } = problemTexts

/** Adds a note to a parcel. The note stays in the timeline. */
export function NoteForm({ parcel }: { parcel: { id: number } }) {
  const client = useQueryClient()
  const toasts = useToasts()
  const { text, setText, isRestored } = useDraftText({ name: 'parcel-note', target: parcel.id })
  const [error, setError] = useState<string | null>(null)
  const { mutate, isPending } = useMutation({
    mutationFn: (noteText: string) =>
      send(noteParcel, { params: { id: parcel.id }, body: { text: noteText } }),
    onSuccess: (note, sentText) => {
      // The next note may have been begun.
      setText((current) => (current.trim() === sentText ? '' : current))
      client.setQueryData<ReceivedParcelWithHistory>(
        queryKeys.parcel(String(parcel.id)),
        (parcel) =>
          parcel && {
            ...parcel,
            notes: [note, ...(parcel.notes ?? [])],
            ...(typeof parcel.notes_total === 'number' && { notes_total: parcel.notes_total + 1 }),
          },
      )
    },
    onError: (failure) =>
      toasts.show({
        title: uploadTexts.failure,
        text: `${texts.failed} ${getRussianErrorMessage(failure)}`,
        tone: 'danger',
      }),
  })
  const button = useFocusAfterBusy(isPending)
  return (
    <form
      className={classes.note}
      noValidate
      {...{ [typedMark]: isRestored || undefined }}
      onSubmit={(event) => {
        event.preventDefault()
        const noteText = text.trim()
        setError(noteText === '' ? texts.empty : null)
        if (noteText !== '' && !isTooLong(noteText, maxText) && !isPending) mutate(noteText)
      }}
    >
      <TextArea
        label={texts.label}
        placeholder={texts.placeholder}
        rows={2}
        maxLength={maxText}
        value={text}
        onChange={(noteText) => {
          setText(noteText)
          setError(null)
        }}
        error={error}
      />
      <Button ref={button} type="submit" loading={isPending} loadingText={texts.adding}>
        {texts.add}
      </Button>
    </form>
  )
}
