import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { toast } from '../ui/toasts.tsx'
import { useFailureText } from '../use-api.ts'
import { leave, useIsLeaving } from './session-life.ts'
import { closeSheet } from './sidebar-state.ts'

/** Gives what ends the session; a failure is told. */
export const useSignOut = (): (() => Promise<void>) => {
  const { org } = useParams()
  const failureText = useFailureText()
  return async () => {
    // What covers the page meanwhile would lie under it.
    closeSheet()
    try {
      await leave(org)
    } catch (error) {
      toast(failureText(error), { kind: 'error' })
    }
  }
}

export function SignOut({ className }: { className: string }) {
  const { t } = useTranslation('shell')
  const signOut = useSignOut()
  const isLeaving = useIsLeaving()
  return (
    <button type="button" className={className} onClick={signOut} disabled={isLeaving}>
      {t('account.signOut')}
    </button>
  )
}
