import { useTranslation } from 'react-i18next'
import { LanguageChoice, ThemeChoice } from '#client/shell/account/preferences.tsx'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'
import { KeyboardSettings } from './keyboard.tsx'
import { PersonForm, PersonPicture } from './person.tsx'

/** `/org/{slug}/settings/profile`: name and picture, appearance, keyboard. */
export default function ProfilePage() {
  const { t } = useTranslation('settings')
  return (
    <>
      <title>{`${t('profile')} · ${t('title')} · ${PRODUCT_NAME}`}</title>
      <section className="card" aria-labelledby="person">
        <h2 id="person">{t('profile')}</h2>
        <PersonPicture />
        <PersonForm />
      </section>
      <section className="card" aria-labelledby="preferences">
        <h2 id="preferences">{t('preferences')}</h2>
        <div>
          <LanguageChoice />
          <ThemeChoice />
        </div>
      </section>
      <KeyboardSettings />
    </>
  )
}
