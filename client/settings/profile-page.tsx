import { useTranslation } from 'react-i18next'
import { LanguageChoice, ThemeChoice } from '#client/shell/account/preferences.tsx'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'
import { useViewer } from '../shell/viewer.ts'
import { KeyboardSettings } from './keyboard.tsx'
import { PersonName, PersonPicture, Signature } from './person.tsx'

/** `/org/{slug}/settings/profile`: name and picture, appearance, keyboard. */
export default function ProfilePage() {
  const { t } = useTranslation('settings')
  const { user } = useViewer()
  return (
    <>
      <title>{`${t('profile')} · ${t('title')} · ${PRODUCT_NAME}`}</title>
      <section className="card" aria-labelledby="person">
        <h2 id="person">{t('profile')}</h2>
        <PersonPicture />
        <PersonName key={user.name} />
        <Signature key={user.signature} />
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
