import { lazy, useState } from 'react'
import { Button } from '../../components/actions/button.tsx'
import { ImportIcon } from '../../components/actions/icons.tsx'
import { LazyDialog } from '../../components/lazy-part.tsx'
import { WithFeatureSpace } from '../feature.tsx'
import type { ImportDialogProps } from './import-dialog.tsx'
import { importTexts, type ImportTexts } from './import.texts.ts'

const ImportDialog = lazy(async () => ({ default: (await import('./import-dialog.tsx')).ImportDialog }))

type ImportButtonProps = Omit<ImportDialogProps, 'opened' | 'onClose' | 'texts'> & { texts?: ImportTexts }

/** A toolbar button that opens an {@link ImportDialog}. The dialog's code loads on the first press. */
export function ImportButton({ texts = importTexts, ...rest }: ImportButtonProps) {
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  return (
    <WithFeatureSpace feature="imports">
      <Button icon={<ImportIcon size={17} />} onClick={() => setIsOpen(true)}>
        {texts.open}
      </Button>
      <LazyDialog opened={isOpen} onClose={close}>
        <ImportDialog {...rest} texts={texts} opened={isOpen} onClose={close} />
      </LazyDialog>
    </WithFeatureSpace>
  )
}
