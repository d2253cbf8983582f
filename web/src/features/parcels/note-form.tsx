import { useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { noteParcel } from '@karvon/contract/parcels/parcels.ts'
import { Button } from '../../components/actions/button.tsx'
import { TextArea } from '../../components/fields/text-area.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { send } from '../../lib/http.ts'
import { useKeptFocus } from '../../components/kept-focus.hook.ts'
import { russianReason } from '../../resources/reason.tsx'
import type { ReceivedParcelWithHistory } from './parcel.received.ts'
import { uploadTexts } from './parcels.texts.ts'
import classes from './problems.module.css'
import { problemTexts } from './problems.texts.ts'

const { note: texts } = problemTexts

/** Writes down what a person knows of a parcel; it stays in the timeline. */
export function NoteForm({ of }: { of: { id: number } }) {
  const client = useQueryClient()
  const toasts = useToasts()
  const [text, setText] = useState('')
  const [error, setError] = useState<string | null>(null)
  const { mutate, isPending } = useMutation({
    mutationFn: (written: string) => send(noteParcel, { params: { id: of.id }, body: { text: written } }),
    onSuccess: (note) => {
      setText('')
      client.setQueryData<ReceivedParcelWithHistory>(
        ['parcels', 'one', String(of.id)],
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
        text: `${texts.failed} ${russianReason(failure)}`,
        tone: 'danger',
      }),
  })
  const button = useKeptFocus(isPending)
  return (
    <form
      className={classes.note}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const written = text.trim()
        setError(written === '' ? texts.empty : null)
        if (written !== '' && !isPending) mutate(written)
      }}
    >
      <TextArea
        label={texts.label}
        placeholder={texts.placeholder}
        rows={2}
        maxLength={2000}
        value={text}
        onChange={(written) => {
          setText(written)
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
