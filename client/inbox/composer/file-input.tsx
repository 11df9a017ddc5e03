import { useRef } from 'react'
import { Icon, type IconName } from '#client/ui/pictures/icon.tsx'

interface FileInputProps {
  readonly label: string
  readonly icon: IconName
  /** The label stands beside the icon; else it is its name. */
  readonly hasWords?: boolean
  onFiles(files: readonly File[]): void
}

/** A button that asks for files; the browser's own field stays out of sight. */
export const FileInput = ({ label, icon, hasWords = false, onFiles }: FileInputProps) => {
  const field = useRef<HTMLInputElement>(null)
  return (
    <>
      <button
        type="button"
        className={hasWords ? 'button' : 'icon-button'}
        {...(hasWords ? {} : { 'aria-label': label, 'data-tip': label })}
        onClick={() => field.current?.click()}
      >
        <Icon name={icon} />
        {hasWords ? label : null}
      </button>
      <input
        ref={field}
        type="file"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])]
          // The same file again is a choice, too.
          currentTarget.value = ''
          if (files.length) onFiles(files)
        }}
      />
    </>
  )
}
