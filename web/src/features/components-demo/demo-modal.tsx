import { Button } from '../../components/actions/button.tsx'
import { Modal } from '../../components/overlay/modal.tsx'
import { demoTexts } from './demo.texts.ts'

const { dialogs: texts } = demoTexts

const lines = Array.from({ length: 60 }, (_, index) => texts.line({ number: index + 1 }))

/** A modal whose content scrolls. */
export function LongModal({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal
      opened={opened}
      title={texts.long}
      onClose={onClose}
      footer={<Button onClick={onClose}>{texts.close}</Button>}
    >
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </Modal>
  )
}
