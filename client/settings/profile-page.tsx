import { Suspense, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { PRODUCT_NAME } from '#shared/product.ts'
import { renamePerson } from '../auth-api.ts'
import { NotificationSettings } from '../notifications/settings.tsx'
import { useViewer } from '../shell/viewer.ts'
import { Field } from '../ui/field.tsx'
import { toast } from '../ui/toasts.tsx'
import { useFailureText } from '../use-api.ts'

function NameForm() {
  const { t } = useTranslation('settings')
  const { user } = useViewer()
  const failureText = useFailureText()
  const [name, setName] = useState(user.name)
  const [fault, setFault] = useState<string>()
  const [isSaving, save] = useTransition()
  const submit = () =>
    save(async () => {
      setFault(undefined)
      try {
        await renamePerson(name)
        toast(t('saved'), { kind: 'success' })
      } catch (error) {
        setFault(failureText(error))
      }
    })
  return (
    <form className="form" action={submit} noValidate>
      <Field
        label={t('personName')}
        hint={t('personNameHint')}
        autoComplete="name"
        maxLength={80}
        value={name}
        fault={fault}
        onChange={({ target }) => setName(target.value)}
      />
      <Field label={t('email')} hint={t('emailHint')} value={user.email} readOnly />
      <button type="submit" className="button button-primary" disabled={isSaving || name === user.name}>
        {t('save')}
      </button>
    </form>
  )
}

/** `/org/{slug}/settings/profile`: who one is to the others, and what one is told. */
export default function ProfilePage() {
  const { t } = useTranslation('settings')
  const { user } = useViewer()
  return (
    <>
      <title>{`${t('profile')} · ${t('title')} · ${PRODUCT_NAME}`}</title>
      <section className="card" aria-labelledby="person">
        <h2 id="person">{t('profile')}</h2>
        <NameForm key={user.name} />
      </section>
      <section className="card">
        <Suspense fallback={<span className="skeleton content-skeleton" />}>
          <NotificationSettings />
        </Suspense>
      </section>
    </>
  )
}
