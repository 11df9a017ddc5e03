import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useOptionalAnswer } from '#client/app/queries/use-answer.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { settingsQuery } from './queries.ts'

interface ChatMute {
  readonly isMuted: boolean
  /** The label of `toggle`. */
  readonly label: string
  /** The text shown for a muted conversation. */
  readonly says: string
  toggle(): void
}

/** Mutes one conversation for the person. Its notifications appear only in the bell. */
export function useChatMute(org: string, conversationId: string): ChatMute {
  const { t } = useTranslation('notifications')
  const api = useApi()
  const client = useQueryClient()
  const textOf = useFailureText()
  const settings = useOptionalAnswer(settingsQuery(org))
  const isMuted = settings?.mutedConversations.includes(conversationId) ?? false
  const change = useMutation({
    mutationFn: (muted: boolean) => api.notifications.mute({ params: { id: conversationId }, body: { muted } }),
    onSuccess: next => client.setQueryData(settingsQuery(org).queryKey, next),
    onError: error => toast(textOf(error), { kind: 'error' }),
  })
  return {
    isMuted,
    label: t(isMuted ? 'mute.off' : 'mute.label'),
    says: t('mute.isOn'),
    toggle() {
      if (settings && !change.isPending) change.mutate(!isMuted)
    },
  }
}
