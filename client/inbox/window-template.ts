import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import type { InParts } from '#client/app/calls/use-in-parts.ts'
import { useOptionalAnswer } from '#client/app/queries/use-answer.ts'
import { orgSettingsQuery } from '#client/shell/org-queries.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { windowClosingMs, windowSafetyMs } from '#shared/kernel/limits.ts'

/** The template that the organization chose for closing windows. Undefined: none, or not loaded yet. */
export const useWindowTemplate = (org: string, isWanted: boolean): string | undefined =>
  useOptionalAnswer({ ...orgSettingsQuery(org), enabled: isWanted })?.windowTemplate?.template

/** True if its window is open and closes within two hours. */
export const isWindowClosing = ({ windowClosesAt }: Pick<Conversation, 'windowClosesAt'>, now: number): boolean => {
  const leftMs = windowClosesAt === null ? 0 : Date.parse(windowClosesAt) - now
  return leftMs > windowSafetyMs && leftMs <= windowClosingMs
}

type Run = InParts['run']

const atOnce: Run = async (ids, send) => {
  await send(ids)
  return ids.length
}

/**
 * Sends the template to these conversations, and says what became of them. True: at least one got it. `run`: runs it for
 * more than one call takes.
 */
export function useSendWindowTemplate(run: Run = atOnce): (ids: readonly string[]) => Promise<boolean> {
  const { t } = useTranslation('inbox')
  const api = useApi()
  const failureText = useFailureText()
  return async ids => {
    const sum = { sent: 0, already: 0, skipped: 0 }
    let reason: string | undefined
    try {
      await run(ids, async some => {
        const { sent, skipped, missing } = await api.windowTemplates.send({ body: { ids: [...some] } })
        sum.sent += sent.length
        for (const { why, message } of skipped) {
          if (why === 'already') sum.already += 1
          else {
            sum.skipped += 1
            reason ??= message ?? t(`windowTemplate.why.${why}`)
          }
        }
        sum.skipped += missing.length
      })
    } catch (error) {
      toast(t('toast.failed', { reason: failureText(error) }), { kind: 'error' })
      if (!sum.sent) return false
    }
    if (sum.sent) toast(t('windowTemplate.sent', { count: sum.sent }), { kind: 'success' })
    if (sum.already) toast(t('windowTemplate.already', { count: sum.already }))
    if (sum.skipped)
      toast([t('windowTemplate.skipped', { count: sum.skipped }), reason].filter(Boolean).join(' '), { kind: 'error' })
    return sum.sent > 0
  }
}
