import { useRef } from 'react'
import { Icon, type IconName } from '#client/ui/pictures/icon.tsx'

interface FileInputProps {
  readonly label: string
  readonly icon: IconName
  /** Shows the label beside the icon; otherwise it is the accessible name. */
  readonly hasWords?: boolean
  onFiles(files: readonly File[]): void
}

/** A button that opens the file chooser. The input itself is hidden. */
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
          // So that choosing the same file again fires an event.
          currentTarget.value = ''
          if (files.length) onFiles(files)
        }}
      />
    </>
  )
}
