import './account/sessions.css'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LoaderFunctionArgs } from 'react-router'
import { start } from '#client/app/queries/queries.ts'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'
import { passwordQuery, secondFactorQuery } from './account/account-queries.ts'
import { EmailCard } from './account/email-card.tsx'
import { PasswordCard } from './account/password-card.tsx'
import { Sessions, SessionsSkeleton, sessionsQuery } from './account/sessions.tsx'
import { Programs, programsQuery } from './programs.tsx'
import { SecondFactorCard } from './second-factor/second-factor-card.tsx'

const DeleteAccountDialog = lazyDialog(() => import('#client/shell/account/delete-account-dialog.tsx'))

export const loader = (args: LoaderFunctionArgs) =>
  start(args, passwordQuery, secondFactorQuery, sessionsQuery, programsQuery)

/** `/org/{slug}/settings/account`: username and password, second factor, sessions, connected programs, deletion. */
export default function AccountPage() {
  const { t } = useTranslation('settings')
  const { t: shell } = useTranslation('shell')
  const { t: programs } = useTranslation('programs')
  const [isDeleting, setDeleting] = useState(false)
  return (
    <>
      <title>{`${t('account')} · ${t('title')} · ${PRODUCT_NAME}`}</title>
      <section className="card" aria-labelledby="email">
        <h2 id="email">{t('emailChange.title')}</h2>
        <EmailCard />
      </section>
      <section className="card" aria-labelledby="password">
        <h2 id="password">{t('password.title')}</h2>
        <Suspense fallback={<SessionsSkeleton />}>
          <PasswordCard />
        </Suspense>
      </section>
      <section className="card" aria-labelledby="second-factor">
        <h2 id="second-factor">{t('secondFactor.title')}</h2>
        <Suspense fallback={<SessionsSkeleton />}>
          <SecondFactorCard />
        </Suspense>
      </section>
      <section className="card" aria-labelledby="sessions">
        <h2 id="sessions">{t('sessions')}</h2>
        <p>{t('sessionsText')}</p>
        <Suspense fallback={<SessionsSkeleton />}>
          <Sessions />
        </Suspense>
      </section>
      <section className="card" aria-labelledby="programs">
        <h2 id="programs">{programs('list.title')}</h2>
        <p>{programs('list.text')}</p>
        <Suspense fallback={<SessionsSkeleton />}>
          <Programs />
        </Suspense>
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
