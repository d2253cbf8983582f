import type { Resource } from '@karvon/contract/lib/resource.ts'
import { TrashIcon } from '../components/actions/icons.tsx'
import { ActionButton } from './action-button.tsx'
import { resourceApi } from './resource.api.ts'
import { getNouns } from './resource.labels.ts'
import { resourceTexts as texts } from './resource.texts.ts'

type DeleteRowButtonProps<Row> = {
  resource: Resource<Row>
  id: number
  onDeleted: () => Promise<void>
}

/** Deletes a row after a question. Draws nothing where rows cannot be deleted. */
export function DeleteRowButton<Row>({ resource, id, onDeleted }: DeleteRowButtonProps<Row>) {
  const nouns = getNouns(resource)
  const { remove } = resourceApi(resource)
  return (
    remove && (
      <ActionButton
        tone="ghost"
        icon={<TrashIcon size={17} />}
        label={texts.remove}
        failureText={texts.removeFailed(nouns)}
        question={{ text: texts.confirmRemove(nouns), danger: true }}
        run={() => remove(id)}
        onSuccess={onDeleted}
      />
    )
  )
}
