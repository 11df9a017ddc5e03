import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { passwordQuery } from './account-queries.ts'

const PasswordDialog = lazyDialog(() => import('./password-dialog.tsx'))
const RemovePasswordDialog = lazyDialog(() => import('./remove-password-dialog.tsx'))

/** The person's username and password, with buttons to change them. */
export function PasswordCard() {
  const { t } = useTranslation('settings')
  const data = useAnswer(passwordQuery)
  const [opened, setOpened] = useState<'set' | 'remove'>()
  const close = () => setOpened(undefined)
  const { username, hasPassword } = data
  return (
    <>
      <p>{hasPassword ? t('password.set') : t('password.none')}</p>
      {username ? (
        <dl className="facts-list">
          <dt>{t('password.yourUsername')}</dt>
          <dd>{username}</dd>
        </dl>
      ) : null}
      <div className="card-buttons">
        <button type="button" className="button" onClick={() => setOpened('set')}>
          {hasPassword ? t('password.change') : t('password.add')}
        </button>
        {hasPassword ? (
          <button type="button" className="button" onClick={() => setOpened('remove')}>
            {t('password.remove')}
          </button>
        ) : null}
      </div>
      {opened === 'set' ? <PasswordDialog current={data} onClose={close} /> : null}
      {opened === 'remove' ? <RemovePasswordDialog onClose={close} /> : null}
    </>
  )
}
