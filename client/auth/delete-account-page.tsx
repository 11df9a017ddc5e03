import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, type LoaderFunctionArgs, useSearchParams } from 'react-router'
import { deleteAccount } from '#client/app/calls/auth-api.ts'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { PublicFrame } from '#client/shell/public-frame.tsx'
import { requireViewer, useViewer } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { paths } from '#shared/kernel/paths.ts'

export const loader = async (args: LoaderFunctionArgs) => {
  await requireViewer(args)
  return null
}

/** Opened by the mailed link: the last confirmation. Viewing it changes nothing. */
export default function DeleteAccountPage() {
  const { t } = useTranslation('shell')
  const { user } = useViewer()
  const [query] = useSearchParams()
  const failureText = useFailureText()
  const [failure, setFailure] = useState<string>()
  const [isDeleting, remove] = useTransition()
  const confirm = () =>
    remove(async () => {
      setFailure(undefined)
      try {
        await deleteAccount(query.get('token') ?? '')
        // A full page load, because cached data is no longer valid.
        location.replace(paths.login())
      } catch (error) {
        setFailure(failureText(error))
      }
    })
  return (
    <PublicFrame title={t('deleteAccount.title')}>
      <div className="stack">
        <div>
          <h1>{t('deleteAccount.title')}</h1>
          <p className="lead">{t('deleteAccount.last', { email: user.email })}</p>
        </div>
        {failure ? <Fault>{failure}</Fault> : null}
        <button type="button" className="button button-danger button-wide" onClick={confirm} disabled={isDeleting}>
          {t('deleteAccount.forever')}
        </button>
        <Link className="button button-wide" to={paths.home()}>
          {t('deleteAccount.keep')}
        </Link>
      </div>
    </PublicFrame>
  )
}
