import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useApi } from '#client/app/calls/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { ConfirmDialog } from '#client/ui/overlays/confirm-dialog.tsx'
import type { ReadyAnswer } from '#shared/ready-answers/api.ts'
import { answersQuery } from './queries.ts'

/** Confirms deleting a ready answer. */
export default function RemoveAnswerDialog({ answer, onClose }: { answer: ReadyAnswer; onClose: () => void }) {
  const { t } = useTranslation('ready-answers')
  const { slug } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const { id, title } = answer
  return (
    <ConfirmDialog
      title={t('removeDialog.title', { title })}
      says={[t(answer.shared ? 'removeDialog.shared' : 'removeDialog.own'), t('removeDialog.back')]}
      confirm={t('remove')}
      onClose={onClose}
      run={async () => {
        await api.readyAnswers.deleteAnswer({ params: { id } })
        await client.invalidateQueries({ queryKey: answersQuery(slug).queryKey })
        toast(t('removeDialog.done', { title }), { kind: 'success' })
      }}
    />
  )
}
