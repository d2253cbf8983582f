import { useState } from 'react'
import { Button } from '../ui/actions/button.tsx'
import { Toolbar } from '../ui/display/layout.tsx'
import { FormModal } from '../ui/form/form-modal.tsx'
import type { FormField, FormValues } from '../ui/form/form.rules.ts'
import { useDialogs } from '../ui/overlay/dialogs.tsx'
import { Modal } from '../ui/overlay/modal.tsx'
import { useToasts, type Toasts } from '../ui/overlay/toasts.tsx'

export const demoFields: readonly FormField[] = [
  { name: 'name', label: 'Name', kind: 'text', required: true },
  { name: 'price', label: 'Price', kind: 'money', required: true, width: 'half' },
  { name: 'affiliate_fee', label: 'Affiliate fee', kind: 'money', required: true, width: 'half' },
  {
    name: 'status_id',
    label: 'Status',
    kind: 'select',
    required: true,
    width: 'half',
    options: [
      { value: '1', label: 'Active' },
      { value: '2', label: 'Paused' },
    ],
  },
  {
    name: 'extra_id',
    label: 'Extra id',
    kind: 'text',
    width: 'half',
    validate: (value) => (value === 'x' ? 'Extra id must not be x' : null),
  },
]

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Fails when the name says so, to show what a refusal looks like. */
export async function demoSave(values: FormValues) {
  await wait(700)
  if (values.name === 'fail')
    return { ok: false, message: 'Failed to save offer. Please try again.' } as const
  if (values.name === 'taken') {
    return { ok: false, message: 'Failed to save offer.', errors: { name: 'This name is taken' } } as const
  }
  if (values.name === 'throw') throw new Error('The server did not answer')
  return { ok: true } as const
}

/** Something that takes three seconds and can be given up. */
async function showWork(toasts: Toasts) {
  const givenUp = new AbortController()
  const toast = toasts.work({
    title: 'Exporting offers.csv',
    action: 'Cancel',
    onAction: () => {
      givenUp.abort()
      toast.end()
    },
  })
  for (let part = 1; part <= 30 && !givenUp.signal.aborted; part++) {
    toast.say(`${part / 10} of 3 MB`, part / 30)
    await wait(100)
  }
  toast.end()
}

const lines = Array.from({ length: 60 }, (_, index) => `Line ${index + 1} of a long text`)

/** Modals, dialogs and toasts. */
export function DemoDialogs() {
  const dialogs = useDialogs()
  const toasts = useToasts()
  const [plain, setPlain] = useState(false)
  const [form, setForm] = useState<'create' | 'edit' | null>(null)
  const [answer, setAnswer] = useState('')
  return (
    <>
      <Toolbar>
        <Button tone="primary" onClick={() => setForm('create')}>
          New offer
        </Button>
        <Button onClick={() => setForm('edit')}>Edit offer</Button>
        <Button onClick={() => setPlain(true)}>Open modal</Button>
        <Button
          onClick={() =>
            void dialogs.alert('Failed to delete offer. Please try again.', 'It is used by 3 streams.')
          }
        >
          Alert
        </Button>
        <Button
          onClick={() => {
            const asked = dialogs.confirm('Are you sure you want to delete this offer?', { danger: true })
            void asked.then((yes) => setAnswer(yes ? 'Confirmed' : 'Dismissed'))
          }}
        >
          Confirm
        </Button>
        <Button
          onClick={() =>
            toasts.show({ title: 'Muvaffaqiyat', text: 'Файл успешно загружен и отправлен в Telegram' })
          }
        >
          Success toast
        </Button>
        <Button
          onClick={() => toasts.show({ title: 'Xatolik', text: 'Ошибка при загрузке файла', tone: 'danger' })}
        >
          Danger toast
        </Button>
        <Button onClick={() => void showWork(toasts)}>Work toast</Button>
        <span role="status">{answer}</span>
      </Toolbar>
      <FormModal
        opened={form !== null}
        title={form === 'edit' ? 'Edit offer' : 'New offer'}
        fields={demoFields}
        initialValues={
          form === 'edit'
            ? { name: 'Smart soat X9', price: '149000', affiliate_fee: '32000', status_id: '1' }
            : {}
        }
        onSubmit={demoSave}
        onClose={() => setForm(null)}
        savedText="Offer saved successfully."
      />
      <Modal
        opened={plain}
        title="A long text"
        onClose={() => setPlain(false)}
        footer={<Button onClick={() => setPlain(false)}>Done</Button>}
      >
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </Modal>
    </>
  )
}
