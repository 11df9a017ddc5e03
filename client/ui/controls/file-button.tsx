import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'

interface FileButtonProps extends Omit<ComponentProps<'input'>, 'type' | 'className' | 'id'> {
  /** For a label outside. */
  readonly id: string
  /** The chosen file's name. Absent: none is chosen, or it is shown elsewhere. */
  readonly chosen?: string | undefined
}

/** A file input with a button in the reader's language; the browser's own button is in the browser's language. */
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
