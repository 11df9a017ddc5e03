import { useTranslation } from 'react-i18next'
import { themeChoices } from '#client/app/preferences/preference.ts'
import { chooseTheme, useThemeChoice } from '#client/app/preferences/theme-choice.ts'
import { Menu, MenuItem } from '#client/ui/overlays/menu.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'

const icons = { light: 'sun', dark: 'moon', system: 'screen' } as const

export function ThemeMenu() {
  const { t } = useTranslation('shell')
  const { t: common } = useTranslation()
  const choice = useThemeChoice()
  return (
    <Menu
      label={common('theme.label')}
      className="icon-button theme-button"
      side="below-end"
      tip={t('head.theme')}
      button={
        <>
          <Icon name={icons[choice]} />
          <span className="sr-only">{t('head.theme')}</span>
        </>
      }
    >
      {() =>
        themeChoices.map(one => (
          <MenuItem key={one} checked={one === choice} onClick={() => chooseTheme(one)}>
            <Icon name={icons[one]} />
            {common(`theme.${one}`)}
          </MenuItem>
        ))
      }
    </Menu>
  )
}
