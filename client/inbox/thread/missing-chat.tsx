import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { isRouteErrorResponse, Link, useLocation, useParams, useRevalidator, useRouteError } from 'react-router'
import { isApiError } from '#client/app/calls/api-error.ts'
import { loadPart } from '#client/app/hydration/missing-part.ts'
import type { Refused } from '#client/app/queries/guard.ts'
import { NotFound } from '#client/shell/not-found.tsx'
import { useOrg } from '#client/shell/viewer.ts'
import { Empty } from '#client/ui/feedback/empty.tsx'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { digitsOf, isPhoneDigits } from '#shared/kernel/phone.ts'
import { useListSearch } from '../list/list-address.ts'
import { conversationQuery, messagesQuery } from '../queries.ts'

/** The refusal by the loader or by a call made while rendering. Undefined: neither. */
const refusedOf = (error: unknown): Partial<Refused> | null | undefined => {
  if (isApiError(error)) return error
  return isRouteErrorResponse(error) ? (error.data as Partial<Refused> | null) : undefined
}

/** The chat could not be loaded: shows the error and a retry, which also happens when the network is back. */
function UnopenedChat({ refused }: { refused: Partial<Refused> | null | undefined }) {
  const { t } = useTranslation('inbox')
  const client = useQueryClient()
  const { revalidate } = useRevalidator()
  const { org = '', phone = '' } = useParams()
  const retry = () => {
    // One under way was begun before, as by the pointer on the row, and may fail for the same reason.
    for (const { queryKey } of [conversationQuery(org, phone), messagesQuery(org, phone)])
      client.removeQueries({ queryKey, predicate: query => query.state.data === undefined })
    void revalidate()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: one try when the network comes back
  useEffect(() => {
    addEventListener('online', retry)
    return () => removeEventListener('online', retry)
  }, [org, phone])
  return (
    <section className="thread">
      <Empty
        icon="warn"
        isAlert
        says={t('thread.notOpened')}
        action={
          <button type="button" className="button button-primary" onClick={retry}>
            {t('action.retry')}
          </button>
        }
      >
        {refused?.message ?? null}
      </Empty>
    </section>
  )
}

const FirstMessage = lazy(() => loadPart(() => import('./first-message.tsx')))

/** Shown beside the list when a chat cannot be shown. */
export function MissingChat() {
  const error = useRouteError()
  const refused = refusedOf(error)
  const { org = '', phone = '' } = useParams()
  const canBegin = roleCan(effectiveRole(useOrg().role), 'chat:reply')
  const search = useListSearch()
  const { key } = useLocation()
  const { t } = useTranslation('inbox')
  const isNotFound = (isRouteErrorResponse(error) || isApiError(error)) && error.status === 404
  if (!isNotFound) return <UnopenedChat refused={refused} />
  // For a mistyped address, the page does not exist.
  if (refused?.code !== 'INBOX_CHAT_NOT_FOUND') return <NotFound />
  if (canBegin && isPhoneDigits(digitsOf(phone)))
    return (
      <Suspense fallback={<section className="thread" />}>
        <FirstMessage key={key} org={org} phone={digitsOf(phone)} />
      </Suspense>
    )
  return (
    <section className="thread">
      <Empty
        icon="chat"
        isAlert
        says={refused.message}
        action={
          <Link className="button button-primary" to={paths.chats(org) + search}>
            {t('thread.back')}
          </Link>
        }
      />
    </section>
  )
}
