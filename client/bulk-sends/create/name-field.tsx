import { useTranslation } from 'react-i18next'
import { Field } from '#client/ui/controls/field.tsx'
import { useMoment } from '#client/ui/text/moment.tsx'
import { sendNameMaxChars } from '#shared/bulk-sends/limits.ts'

import type { Language } from '#shared/kernel/language.ts'
import { shortTime } from '#shared/kernel/time.ts'

interface NameFieldProps {
  readonly name: string
  /** The name of the chosen template. */
  readonly template: string | undefined
  onChange(name: string): void
}

/** The team's name for the send. Without one, the send gets the default name that the empty field shows. */
export function NameField({ name, template, onChange }: NameFieldProps) {
  const { t, i18n } = useTranslation('bulk-sends')
  const { now, timeZone } = useMoment()
  const moment = shortTime(new Date(now).toISOString(), i18n.language as Language, timeZone)
  return (
    <div className="bulk-own-name">
      <Field
        label={t('name.label')}
        placeholder={template ? `${template} · ${moment}` : t('name.hint')}
        autoComplete="off"
        value={name}
        maxLength={sendNameMaxChars}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  )
}
