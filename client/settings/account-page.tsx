import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { PRODUCT_NAME } from '#shared/product.ts'
import { signOutElsewhere } from '../auth-api.ts'
import { LanguageChoice, ThemeChoice } from '../shell/preferences.tsx'
import { SignOut } from '../shell/sign-out.tsx'
import { lazyDialog } from '../ui/lazy-dialog.tsx'
import { toast } from '../ui/toasts.tsx'
import { useFailureText } from '../use-api.ts'

const DeleteAccountDialog = lazyDialog(() => import('../shell/delete-account-dialog.tsx'))

/** `/org/{slug}/settings/account`: language, theme, sessions, the account itself. */
export default function AccountPage() {
  const { t } = useTranslation('settings')
  const { t: shell } = useTranslation('shell')
  const failureText = useFailureText()
  const [isDeleting, setDeleting] = useState(false)
  const [isEnding, end] = useTransition()
  const endOthers = () =>
    end(async () => {
      try {
        await signOutElsewhere()
        toast(t('othersEnded'), { kind: 'success' })
      } catch (error) {
        toast(failureText(error), { kind: 'error' })
      }
    })
  return (
    <>
      <title>{`${t('account')} · ${t('title')} · ${PRODUCT_NAME}`}</title>
      <section className="card" aria-labelledby="preferences">
        <h2 id="preferences">{t('preferences')}</h2>
        <LanguageChoice />
        <ThemeChoice />
      </section>
      <section className="card" aria-labelledby="sessions">
        <h2 id="sessions">{t('sessions')}</h2>
        <p>{t('sessionsText')}</p>
        <div className="card-buttons">
          <button type="button" className="button" onClick={endOthers} disabled={isEnding}>
            {t('endOthers')}
          </button>
          <SignOut className="button" />
        </div>
      </section>
      <section className="card" aria-labelledby="delete">
        <h2 id="delete">{shell('account.delete')}</h2>
        <p>{t('deleteText')}</p>
        <div className="card-buttons">
          <button type="button" className="button button-danger" onClick={() => setDeleting(true)}>
            {shell('account.delete')}
          </button>
        </div>
      </section>
      {isDeleting ? <DeleteAccountDialog onClose={() => setDeleting(false)} /> : null}
    </>
  )
}
