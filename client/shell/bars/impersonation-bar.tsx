import { useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { isApiError } from '#client/app/calls/api-error.ts'
import { stopImpersonating } from '#client/app/calls/auth-api.ts'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { paths } from '#shared/kernel/paths.ts'
import { becomeAnother } from '../session-life.ts'

/** Ends the impersonation. Also succeeds if it has already ended. */
const endImpersonation = () =>
  stopImpersonating().catch(error => {
    if (!isApiError(error) || error.status !== 401) throw error
  })

/** Shown on every page while an administrator of the site impersonates another person, with a button that ends it. */
export default function ImpersonationBar({ name }: { name: string }) {
  const { t } = useTranslation('shell')
  const failureText = useFailureText()
  const [isStopping, run] = useTransition()
  const stop = () =>
    run(async () => {
      try {
        await becomeAnother(endImpersonation, paths.siteAdmin())
      } catch (error) {
        toast(failureText(error), { kind: 'error' })
      }
    })
  return (
    <aside className="borrowed-bar line" aria-label={t('borrowed.label')}>
      <p title={t('borrowed.says', { name })}>{t('borrowed.says', { name })}</p>
      <button type="button" className="button" aria-disabled={isStopping} onClick={() => isStopping || stop()}>
        {t('borrowed.stop')}
      </button>
    </aside>
  )
}
