import { lazy, useState } from 'react'
import { Button } from '../../components/actions/button.tsx'
import { LazyDialog } from '../../components/lazy-part.tsx'
import { Toolbar } from '../../components/display/layout.tsx'
import type { FormField, FormValues } from '../../components/form/form.rules.ts'
import { useDialogs } from '../../components/overlay/dialogs.tsx'
import { useToasts } from '../../components/overlay/toasts.tsx'
import { restoreTarget } from '../../lib/session.draft.ts'
import { demoTexts } from './demo.texts.ts'

const { dialogs: texts, fields } = demoTexts

// The page is close to the size limit of a first visit, so its modals and tasks load when they are used.
const loadModals = () => import('./demo-modals.tsx')
const FormModal = lazy(async () => ({ default: (await loadModals()).DemoFormModal }))
const LongModal = lazy(async () => ({ default: (await loadModals()).DemoLongModal }))
const loadTasks = () => import('./demo-tasks.ts')

export const demoFields: readonly FormField[] = [
  { name: 'name', label: fields.name, kind: 'text', required: true },
  { name: 'price', label: fields.price, kind: 'money', required: true, width: 'half' },
  { name: 'affiliate_fee', label: fields.fee, kind: 'money', required: true, width: 'half' },
  {
    name: 'status_id',
    label: fields.status,
    kind: 'select',
    required: true,
    width: 'half',
    options: [
      { value: '1', label: fields.active },
      { value: '2', label: fields.paused },
    ],
  },
  {
    name: 'extra_id',
    label: fields.extraId,
    kind: 'text',
    width: 'half',
    validate: (value) => (value === 'x' ? texts.notX : null),
  },
]

/** Fails for certain names, to show a failed save. */
export const demoSave = async (values: FormValues) => (await loadTasks()).saveDemo(values)

/** Modals, dialogs and toasts. */
export function DemoDialogs() {
  const dialogs = useDialogs()
  const toasts = useToasts()
  const [isModalOpen, setIsModalOpen] = useState(false)
  const [form, setForm] = useState(() => restoreTarget('components-demo') as 'create' | 'edit' | null)
  const closeForm = () => setForm(null)
  const closeModal = () => setIsModalOpen(false)
  const [answer, setAnswer] = useState('')
  return (
    <>
      <Toolbar>
        <Button tone="primary" onClick={() => setForm('create')}>
          {texts.create}
        </Button>
        <Button onClick={() => setForm('edit')}>{texts.edit}</Button>
        <Button onClick={() => setIsModalOpen(true)}>{texts.openModal}</Button>
        <Button onClick={() => void loadTasks().then(({ showAlert }) => showAlert(dialogs))}>
          {texts.alert}
        </Button>
        <Button
          onClick={() =>
            void loadTasks().then(async ({ askToDelete }) => setAnswer(await askToDelete(dialogs)))
          }
        >
          {texts.confirm}
        </Button>
        <Button onClick={() => void loadTasks().then(({ showSuccess }) => showSuccess(toasts))}>
          {texts.success}
        </Button>
        <Button onClick={() => void loadTasks().then(({ showFailure }) => showFailure(toasts))}>
          {texts.danger}
        </Button>
        <Button onClick={() => void loadTasks().then(({ showWork }) => showWork(toasts))}>
          {texts.work}
        </Button>
        <span role="status">{answer}</span>
      </Toolbar>
      <LazyDialog opened={form !== null} onClose={closeForm}>
        <FormModal form={form} fields={demoFields} onSubmit={demoSave} onClose={closeForm} />
      </LazyDialog>
      <LazyDialog opened={isModalOpen} onClose={closeModal}>
        <LongModal opened={isModalOpen} onClose={closeModal} />
      </LazyDialog>
    </>
  )
}
