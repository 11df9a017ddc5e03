import { useQueryClient } from '@tanstack/react-query'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { apiOf } from '#client/app/queries/queries.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import type { InboxT } from '../../words.ts'

/** Downloads a chat as text, or opens it as a page to print. Each shows a toast when it fails. */
export const useChatExport = (org: string, phone: string, t: InboxT) => {
  const { chatExport } = apiOf(useQueryClient())(org)
  const failureText = useFailureText()
  const prepare = async (format: 'text' | 'html', open: (url: string) => void) => {
    try {
      open((await chatExport.prepare({ params: { phone }, body: { format } })).url)
      return true
    } catch (error) {
      toast(t('toast.failed', { reason: failureText(error) }), { kind: 'error' })
      return false
    }
  }
  return {
    downloadText: () => prepare('text', url => location.assign(url)),
    openPage: async () => {
      // Browsers block a tab that opens after an answer, so it opens empty.
      const tab = window.open('', '_blank')
      const isOpen = await prepare('html', url => (tab ? tab.location.replace(url) : location.assign(url)))
      if (!isOpen) tab?.close()
    },
  }
}
