import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFacts } from '#client/app/facts.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { Logo } from '#client/ui/pictures/logo.tsx'
import { type Drawn, WaMessage } from './wa-message.tsx'
import './preview.css'

interface PreviewProps extends Omit<Drawn, 'withExamples'> {
  readonly isCode: boolean
}

/** A phone with the message, in WhatsApp's light or dark style. */
export function Preview({ isCode, ...drawn }: PreviewProps) {
  const { t } = useTranslation('templates')
  const org = useOrg()
  const { theme } = useFacts()
  const [look, setLook] = useState<'light' | 'dark'>(theme === 'dark' ? 'dark' : 'light')
  // The system's preference is known only in the browser.
  useEffect(() => {
    if (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches) setLook('dark')
  }, [theme])
  const [withExamples, setWithExamples] = useState(true)
  return (
    <section className="wa-preview" aria-label={t('preview.title')}>
      <div className="wa-tools">
        <fieldset className="template-segment">
          <legend className="sr-only">{t('preview.variables')}</legend>
          <button type="button" aria-pressed={withExamples} onClick={() => setWithExamples(true)}>
            {t('preview.examples')}
          </button>
          <button type="button" aria-pressed={!withExamples} onClick={() => setWithExamples(false)}>
            {t('preview.variables')}
          </button>
        </fieldset>
        <fieldset className="template-segment">
          <legend className="sr-only">{t('preview.look')}</legend>
          {(['light', 'dark'] as const).map(one => (
            <button
              key={one}
              type="button"
              aria-pressed={look === one}
              aria-label={t(`preview.${one}`)}
              onClick={() => setLook(one)}
            >
              <Icon name={one === 'light' ? 'sun' : 'moon'} />
            </button>
          ))}
        </fieldset>
      </div>
      <div className={`wa-phone wa-${look}`}>
        <div className="wa-bar line">
          <Logo name={org.name} image={org.logo} />
          <div>
            <b className="cut" dir="auto">
              {org.name}
            </b>
            <small>{t('preview.business')}</small>
          </div>
        </div>
        <div className="wa-chat">
          <WaMessage drawn={{ ...drawn, withExamples }} isCode={isCode} />
        </div>
      </div>
    </section>
  )
}
