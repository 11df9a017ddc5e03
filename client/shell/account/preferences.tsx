import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { chooseLanguage } from '#client/app/preferences/i18n.ts'
import { isThemeChoice, themeChoices } from '#client/app/preferences/preference.ts'
import { chooseTheme, useThemeChoice } from '#client/app/preferences/theme-choice.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { isLanguage, languages } from '#shared/kernel/language.ts'

export function LanguageChoice() {
  const { t, i18n } = useTranslation()
  const id = useId()
  return (
    <div className="preference">
      <Icon name="globe" />
      <label htmlFor={id}>{t('language.label')}</label>
      <select
        id={id}
        value={i18n.language}
        onChange={({ target }) => isLanguage(target.value) && void chooseLanguage(i18n, target.value)}
      >
        {languages.map(language => (
          <option key={language} value={language} lang={language}>
            {t(`language.${language}`)}
          </option>
        ))}
      </select>
    </div>
  )
}

const themeIcons = { light: 'sun', dark: 'moon', system: 'screen' } as const

export function ThemeChoice() {
  const { t } = useTranslation()
  const choice = useThemeChoice()
  const id = useId()
  return (
    <div className="preference">
      <Icon name={themeIcons[choice]} />
      <label htmlFor={id}>{t('theme.label')}</label>
      <select
        id={id}
        value={choice}
        onChange={({ target }) => isThemeChoice(target.value) && chooseTheme(target.value)}
      >
        {themeChoices.map(one => (
          <option key={one} value={one}>
            {t(`theme.${one}`)}
          </option>
        ))}
      </select>
    </div>
  )
}
