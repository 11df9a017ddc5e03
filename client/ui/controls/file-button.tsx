import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'

interface FileButtonProps extends Omit<ComponentProps<'input'>, 'type' | 'className' | 'id'> {
  /** The id that a label outside refers to. */
  readonly id: string
  /** The chosen file's name. Absent: none is chosen, or it is shown elsewhere. */
  readonly chosen?: string | undefined
  /** True if it is the main action of its page. */
  readonly isMain?: boolean
}

/** A file input with a button in the reader's language; the browser's own button is in the browser's language. */
export function FileButton({ id, chosen, isMain, ...input }: FileButtonProps) {
  const { t } = useTranslation()
  return (
    <div className="file-choice">
      <label className={`button file-button${isMain ? ' button-primary' : ''}`} htmlFor={id}>
        {t(chosen ? 'chooseOther' : input.multiple ? 'chooseFiles' : 'chooseFile')}
        <input {...input} id={id} type="file" className="sr-only" />
      </label>
      {chosen ? <span className="cut">{chosen}</span> : null}
    </div>
  )
}
