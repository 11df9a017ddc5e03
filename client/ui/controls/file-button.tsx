import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'

interface FileButtonProps extends Omit<ComponentProps<'input'>, 'type' | 'className' | 'id'> {
  /** What names it outside is a label for this. */
  readonly id: string
  /** The name of the file that is chosen; absent: it is said elsewhere, or none is. */
  readonly chosen?: string | undefined
}

/** Chooses a file by a button in the reader's language: the browser's own is in the browser's. */
export function FileButton({ id, chosen, ...input }: FileButtonProps) {
  const { t } = useTranslation()
  return (
    <div className="file-choice">
      <label className="button file-button" htmlFor={id}>
        {t(chosen ? 'chooseOther' : 'chooseFile')}
        <input {...input} id={id} type="file" className="sr-only" />
      </label>
      {chosen ? <span className="cut">{chosen}</span> : null}
    </div>
  )
}
