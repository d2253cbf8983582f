import { Button } from '../../components/actions/button.tsx'
import { FormModal, type FormModalProps } from '../../components/form/form-modal.tsx'
import { Modal } from '../../components/overlay/modal.tsx'
import { demoTaskTexts } from './demo-tasks.texts.ts'
import { demoTexts } from './demo.texts.ts'

const { dialogs: texts } = demoTexts

const lines = Array.from({ length: 60 }, (_, index) => demoTaskTexts.line({ number: index + 1 }))

/** A modal whose content is longer than the window. */
export function DemoLongModal({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal
      opened={opened}
      title={demoTaskTexts.long}
      onClose={onClose}
      footer={<Button onClick={onClose}>{demoTaskTexts.close}</Button>}
    >
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </Modal>
  )
}

type DemoFormModalProps = Pick<FormModalProps, 'fields' | 'onSubmit' | 'onClose'> & {
  /** Null: closed. */
  form: 'create' | 'edit' | null
}

/** A form that creates or edits a row. */
export function DemoFormModal({ form, ...rest }: DemoFormModalProps) {
  return (
    <FormModal
      opened={form !== null}
      title={form === 'edit' ? texts.edit : texts.create}
      initialValues={
        form === 'edit'
          ? { name: 'Smart soat X9', price: '149000', affiliate_fee: '32000', status_id: '1' }
          : {}
      }
      draft={{ name: 'components-demo', target: form }}
      savedText={demoTaskTexts.saved}
      {...rest}
    />
  )
}
