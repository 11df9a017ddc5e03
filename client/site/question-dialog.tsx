import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '#client/ui/overlays/confirm-dialog.tsx'
import type { SitePerson } from '#shared/site/api.ts'

export type Question = 'endSessions' | 'actAs' | 'makeAdmin' | 'endAdmin'

interface QuestionDialogProps {
  readonly question: Question
  readonly person: SitePerson
  run(): Promise<void>
  onClose(): void
}

/** Confirms an action on an account. */
export default function QuestionDialog({ question, person: { name }, run, onClose }: QuestionDialogProps) {
  const { t } = useTranslation('site')
  return (
    <ConfirmDialog
      title={t(`ask.${question}.title`, { name })}
      says={t(`ask.${question}.says`, { name }).split('\n')}
      confirm={t(`ask.${question}.confirm`)}
      run={run}
      onClose={onClose}
    />
  )
}
