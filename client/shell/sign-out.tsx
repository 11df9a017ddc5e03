import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { useFailureText } from '../app/use-api.ts'
import { leave, useIsLeaving } from './session-life.ts'
import { closeSheet } from './sidebar-state.ts'

/** Gives what ends the session, by `end` where more than this one ends; a failure is told. */
export const useSignOut = (end?: () => Promise<unknown>): (() => Promise<void>) => {
  const { org } = useParams()
  const failureText = useFailureText()
  return async () => {
    // What covers the page meanwhile would lie under it.
    closeSheet()
    try {
      await leave(org, end)
    } catch (error) {
      toast(failureText(error), { kind: 'error' })
    }
  }
}

interface SignOutProps {
  readonly className: string
  /** Where more than this session ends, what the button is called then, and what ends them. */
  readonly end?: () => Promise<unknown>
  readonly children?: string
}

export function SignOut({ className, end, children }: SignOutProps) {
  const { t } = useTranslation('shell')
  const signOut = useSignOut(end)
  const isLeaving = useIsLeaving()
  return (
    <button type="button" className={className} onClick={signOut} disabled={isLeaving}>
      {children ?? t('account.signOut')}
    </button>
  )
}
