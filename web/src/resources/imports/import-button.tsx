import { lazy, Suspense, useState } from 'react'
import { Button } from '../../components/actions/button.tsx'
import { ImportIcon } from '../../components/actions/icons.tsx'
import { WithFeatureSpace } from '../feature.tsx'
import type { ImportDialogProps } from './import-dialog.tsx'
import { importTexts, type ImportTexts } from './import.texts.ts'

const ImportDialog = lazy(async () => ({ default: (await import('./import-dialog.tsx')).ImportDialog }))

type ImportButtonProps = Omit<ImportDialogProps, 'opened' | 'onClose' | 'texts'> & { texts?: ImportTexts }

/** A toolbar button that opens an {@link ImportDialog}. The dialog's code loads on the first press. */
export function ImportButton({ texts = importTexts, ...rest }: ImportButtonProps) {
  // Undefined before the first press. The dialog then stays mounted so that its closing is animated.
  const [isOpen, setIsOpen] = useState<boolean>()
  return (
    <WithFeatureSpace feature="imports">
      <Button icon={<ImportIcon size={17} />} onClick={() => setIsOpen(true)}>
        {texts.open}
      </Button>
      {isOpen !== undefined && (
        <Suspense>
          <ImportDialog {...rest} texts={texts} opened={isOpen} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </WithFeatureSpace>
  )
}
