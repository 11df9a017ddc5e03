import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Fault } from '#client/ui/controls/field.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { Logo } from '#client/ui/pictures/logo.tsx'
import { pictureMaxBytes, pictureTypes } from '#shared/media/pictures.ts'

/** A chosen picture. */
export interface ChosenLogo {
  readonly dataBase64: string
  /** The address of the preview. */
  readonly url: string
}

const read = (file: File): Promise<ChosenLogo> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onerror = () => reject(reader.error)
    reader.onload = () => {
      const url = String(reader.result)
      resolve({ url, dataBase64: url.slice(url.indexOf(',') + 1) })
    }
    reader.readAsDataURL(file)
  })

/** The browser must be able to show it. The server checks the bytes. */
const isPicture = async (file: File, types: readonly string[]): Promise<boolean> => {
  if (!types.includes(file.type)) return false
  try {
    const bitmap = await createImageBitmap(file)
    bitmap.close()
    return true
  } catch {
    return false
  }
}

interface LogoPickerProps {
  readonly label: ReactNode
  /** Initials shown without a picture. */
  readonly name: string
  readonly image: string | null
  /** Replaces the preview for files that are not pictures. */
  readonly shown?: ReactNode
  /** The server's error for the last one. */
  readonly fault?: string | undefined
  readonly disabled?: boolean
  /** Accepted types, and a hint about them; default: those of a logo. */
  readonly takes?: { readonly types: readonly string[]; readonly hint: string }
  onChoose(logo: ChosenLogo): void
  /** Absent: it can only be replaced. */
  onRemove?(): void
}

/** Chooses a picture, checking the file before it is uploaded. */
export function LogoPicker({ label, name, image, shown, fault, disabled, takes, onChoose, onRemove }: LogoPickerProps) {
  const { t } = useTranslation()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const { types, hint } = takes ?? { types: pictureTypes, hint: t('logo.hint') }
  const [ownFault, setOwnFault] = useState<string>()
  useEffect(() => {
    if (fault) input.current?.focus()
  }, [fault])
  const choose = async (file: File | undefined) => {
    if (!file) return
    const wrong = file.size > pictureMaxBytes ? 'tooBig' : (await isPicture(file, types)) ? undefined : 'notImage'
    setOwnFault(wrong && t(`logo.${wrong}`))
    if (input.current) input.current.value = ''
    if (!wrong) onChoose(await read(file))
  }
  const said = ownFault ?? fault
  return (
    <div className="field">
      <span className="field-label" id={`${id}-label`}>
        {label}
      </span>
      <div className="logo-picker">
        {shown ??
          (image || name ? (
            <Logo name={name} image={image} />
          ) : (
            <span className="logo">
              <Icon name="image" />
            </span>
          ))}
        <label className="button logo-button" aria-disabled={disabled || undefined}>
          {t(image ? 'logo.change' : 'logo.choose')}
          <input
            ref={input}
            className="sr-only"
            type="file"
            name="logo"
            disabled={disabled}
            accept={types.join(',')}
            aria-labelledby={`${id}-label`}
            aria-invalid={Boolean(said)}
            aria-describedby={`${id}-hint${said ? ` ${id}-fault` : ''}`}
            onChange={({ target }) => void choose(target.files?.[0])}
          />
        </label>
        {image && onRemove ? (
          <button
            type="button"
            className="link"
            disabled={disabled}
            onClick={() => {
              setOwnFault(undefined)
              onRemove()
            }}
          >
            {t('logo.remove')}
          </button>
        ) : null}
      </div>
      <div id={`${id}-hint`} className="field-hint">
        {hint}
      </div>
      {said ? <Fault id={`${id}-fault`}>{said}</Fault> : null}
    </div>
  )
}
