import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { logoMaxBytes, logoTypes } from '#shared/org-settings.ts'
import { Fault } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'
import { Logo } from '../ui/logo.tsx'

/** A picture that was chosen and not kept yet; null: the one there is goes away. */
export interface ChosenLogo {
  readonly dataBase64: string
  /** For showing it. */
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

/** Whether the browser can show it; the server looks at the bytes itself. */
const isPicture = async (file: File): Promise<boolean> => {
  if (!(logoTypes as readonly string[]).includes(file.type)) return false
  try {
    const bitmap = await createImageBitmap(file)
    bitmap.close()
    return true
  } catch {
    return false
  }
}

interface LogoFieldProps {
  readonly name: string
  /** The one that is kept. */
  readonly kept: string | null
  readonly chosen: ChosenLogo | null | undefined
  /** What the server said of it. */
  readonly fault: string | undefined
  onChoose(logo: ChosenLogo | null | undefined): void
}

/** The organization's picture: looked at before it is sent, so that a wrong file is told at once. */
export function LogoField({ name, kept, chosen, fault, onChoose }: LogoFieldProps) {
  const { t } = useTranslation('orgs')
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [ownFault, setOwnFault] = useState<string>()
  useEffect(() => {
    if (fault) input.current?.focus()
  }, [fault])
  const choose = async (file: File | undefined) => {
    if (!file) return
    const wrong = file.size > logoMaxBytes ? 'tooBig' : (await isPicture(file)) ? undefined : 'notImage'
    setOwnFault(wrong && t(`create.logoFault.${wrong}`))
    if (input.current) input.current.value = ''
    if (!wrong) onChoose(await read(file))
  }
  const shown = chosen === undefined ? kept : (chosen?.url ?? null)
  const said = ownFault ?? fault
  return (
    <div className="field">
      <span className="field-label" id={`${id}-label`}>
        {t('create.logo')}
      </span>
      <div className="logo-field">
        {shown || name ? (
          <Logo name={name} image={shown} />
        ) : (
          <span className="logo logo-none">
            <Icon name="image" />
          </span>
        )}
        <label className="button logo-button">
          {t(shown ? 'create.logoChange' : 'create.logoChoose')}
          <input
            ref={input}
            className="sr-only"
            type="file"
            name="logo"
            accept={logoTypes.join(',')}
            aria-labelledby={`${id}-label`}
            aria-invalid={Boolean(said)}
            aria-describedby={`${id}-hint${said ? ` ${id}-fault` : ''}`}
            onChange={({ target }) => void choose(target.files?.[0])}
          />
        </label>
        {shown ? (
          <button
            type="button"
            className="link"
            onClick={() => {
              setOwnFault(undefined)
              onChoose(kept ? null : undefined)
            }}
          >
            {t('create.logoRemove')}
          </button>
        ) : null}
      </div>
      <div id={`${id}-hint`} className="field-hint">
        {t('create.logoHint')}
      </div>
      {said ? <Fault id={`${id}-fault`}>{said}</Fault> : null}
    </div>
  )
}
