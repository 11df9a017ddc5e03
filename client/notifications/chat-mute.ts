import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useOptionalAnswer } from '#client/app/use-answer.ts'
import { useApi, useFailureText } from '#client/app/use-api.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { settingsQuery } from './queries.ts'

/** Mutes one conversation for the person. Its notifications appear only in the bell. */
export function useChatMute(org: string, conversationId: string): { isMuted: boolean; toggle(): void } {
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
    toggle() {
      if (settings && !change.isPending) change.mutate(!isMuted)
    },
  }
}
