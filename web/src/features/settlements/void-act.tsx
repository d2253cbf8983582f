import { useEffect, useRef, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { maxText } from '@karvon/contract/lib/limits.ts'
import { voidSettlement, type SettlementAct } from '@karvon/contract/settlements/settlements.ts'
import { Button } from '../../components/actions/button.tsx'
import { readFieldText, type FormField, type FormValues } from '../../components/form/form.rules.ts'
import { FormWithDraft } from '../../components/form/form-with-draft.tsx'
import { submitWithFieldErrors } from '../../components/form/submit.ts'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { send } from '../../lib/http.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { findDraft } from '../../lib/session.draft.ts'
import { voidTexts as texts } from './settlements.texts.ts'

const createFields = (hint: string): readonly FormField[] => [
  { name: 'reason', label: texts.reason, kind: 'textarea', required: true, maxLength: maxText, hint },
]
const fields = createFields(texts.reasonHint)
const unlistedFields = createFields(texts.unlistedHint)

type VoidActProps = { act: SettlementAct; onVoided: () => void }

/** A button that opens the form which voids an act. */
export function VoidAct({ act, onVoided }: VoidActProps) {
  const client = useQueryClient()
  const toasts = useToasts()
  const box = useRef<HTMLDivElement>(null)
  const draft = { name: 'settlement-acts', target: act }
  const [isOpen, setIsOpen] = useState(() => findDraft(draft) !== undefined)
  useEffect(() => {
    if (isOpen) box.current?.querySelector('textarea')?.focus()
  }, [isOpen])
  const submit = (values: FormValues) =>
    submitWithFieldErrors(async () => {
      const body = { reason: readFieldText(values.reason) }
      const { lines } = await send(voidSettlement, { params: { id: act.id }, body })
      toasts.show({ title: lines > 0 ? texts.voidedInPart({ lines }) : texts.voided })
      for (const queryKey of [queryKeys.settlements, queryKeys.ledger, queryKeys.money])
        void client.invalidateQueries({ queryKey })
    })
  const cancel = () => {
    // The focused button disappears with the form.
    box.current?.closest<HTMLElement>('[role=dialog]')?.focus()
    setIsOpen(false)
  }
  return (
    <div ref={box}>
      {isOpen ? (
        <FormWithDraft
          fields={act.unlisted_at ? unlistedFields : fields}
          draft={draft}
          submitLabel={texts.void}
          loadingText={texts.voiding}
          onSubmit={submit}
          onSuccess={onVoided}
          onCancel={cancel}
        />
      ) : (
        <Button onClick={() => setIsOpen(true)}>{texts.void}</Button>
      )}
    </div>
  )
}
