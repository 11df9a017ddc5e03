import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFacts } from '#client/app/facts.ts'
import { phoneCountries } from '#client/ui/text/countries.ts'
import { zoneLabel } from '#client/ui/text/time-zone-label.ts'
import { type Language, languages } from '#shared/kernel/language.ts'
import type { Region } from '#shared/orgs/settings.ts'
import { Choice, useLongOptions } from './choice.tsx'
import './region.css'

interface RegionFieldsProps {
  readonly value: Region
  onChange(value: Region): void
}

/** An organization's time zone, mail language, and country for numbers. */
export function RegionFields({ value, onChange }: RegionFieldsProps) {
  const { t, i18n } = useTranslation(['orgs', 'common'])
  const names = new Intl.DisplayNames([i18n.language], { type: 'region', fallback: 'code' })
  const countries = useLongOptions(
    value.country,
    code => names.of(code) ?? code,
    () => phoneCountries,
  )
  const { now } = useFacts()
  // Four hundred labels, made once.
  const [labels] = useState(() => new Map<string, string>())
  const labelOf = (zone: string): string => {
    const label = labels.get(zone) ?? zoneLabel(zone, now)
    labels.set(zone, label)
    return label
  }
  const zones = useLongOptions(value.timeZone, labelOf, () => Intl.supportedValuesOf('timeZone'))
  return (
    <fieldset className="region">
      <legend className="sr-only">{t('create.region')}</legend>
      <Choice
        label={t('create.country')}
        hint={t('create.countryHint')}
        name="country"
        options={countries}
        value={value.country}
        onChange={({ target }) => onChange({ ...value, country: target.value })}
      />
      <Choice
        label={t('create.timeZone')}
        name="timeZone"
        options={zones}
        value={value.timeZone}
        onChange={({ target }) => onChange({ ...value, timeZone: target.value })}
      />
      <Choice
        label={t('create.language')}
        hint={t('create.languageHint')}
        name="language"
        options={languages.map(code => ({ value: code, label: t(`common:language.${code}`) }))}
        value={value.language}
        onChange={({ target }) => onChange({ ...value, language: target.value as Language })}
      />
    </fieldset>
  )
}
