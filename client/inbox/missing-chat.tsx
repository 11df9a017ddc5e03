import { useTranslation } from 'react-i18next'
import { isRouteErrorResponse, Link, useLocation, useParams, useRouteError } from 'react-router'
import { isApiError } from '#client/api-error.ts'
import { ErrorPage } from '#client/shell/error-page.tsx'
import type { Refused } from '#client/shell/guard.ts'
import { Empty } from '#client/ui/empty.tsx'
import { paths } from '#shared/paths.ts'

/** The room's word for a number that never wrote, from the loader or from a call made while rendering. */
const missingOf = (error: unknown): string | undefined => {
  const refused = isApiError(error) ? error : isRouteErrorResponse(error) ? (error.data as Refused | null) : null
  return refused?.code === 'INBOX_CHAT_NOT_FOUND' ? refused.message : undefined
}

/** Beside the list, where a chat should be and is not. Anything else that went wrong has the page for it. */
export function MissingChat() {
  const missing = missingOf(useRouteError())
  const { org = '' } = useParams()
  const { search } = useLocation()
  const { t } = useTranslation('inbox')
  if (missing === undefined) return <ErrorPage />
  return (
    <main className="thread">
      <Empty
        icon="chat"
        isAlert
        says={missing}
        action={
          <Link className="button button-primary" to={paths.chats(org) + search}>
            {t('thread.back')}
          </Link>
        }
      />
    </main>
  )
}
