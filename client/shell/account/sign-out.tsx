import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { leave, useIsLeaving } from '../session-life.ts'
import { closeSheet } from '../sidebar/sidebar-state.ts'

/** Returns a function that ends the session, by `end` if more than this one. Shows failures. */
export const useSignOut = (end?: () => Promise<unknown>): (() => Promise<void>) => {
  const { org } = useParams()
  const failureText = useFailureText()
  return async () => {
    // In narrow windows the sidebar would otherwise cover the closing page.
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
  /** Ends more than this session. `children` is the button's label. */
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
