import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isRouteErrorResponse, Link, useNavigate, useParams, useRevalidator, useRouteError } from 'react-router'
import { isApiError } from '#client/app/api-error.ts'
import type { Refused } from '#client/app/guard.ts'
import { apiOf } from '#client/app/queries.ts'
import { useListSearch } from '#client/inbox/list/list-address.ts'
import { conversationQuery, messagesQuery } from '#client/inbox/queries.ts'
import { NotFound } from '#client/shell/not-found.tsx'
import { useOrg } from '#client/shell/viewer.ts'
import type { TemplateSend } from '#client/templates/send-values.ts'
import { Empty } from '#client/ui/feedback/empty.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { digitsOf, isPhoneDigits } from '#shared/kernel/phone.ts'

/** From the loader or a call made while rendering. Undefined: neither. */
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
    for (const { queryKey } of [conversationQuery(org, phone), messagesQuery(org, phone)])
      client.removeQueries({ queryKey, predicate: query => query.state.status === 'error' })
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

const SendTemplateDialog = lazyDialog(() => import('#client/templates/send-dialog.tsx'))

/** After entering a number in a dialog, continues here. */
const focus = (button: HTMLButtonElement | null) => button?.focus()

/** There is no conversation with this number: offers a template to begin. */
function FirstMessage({ org, phone }: { org: string; phone: string }) {
  const { t } = useTranslation('inbox')
  const search = useListSearch()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [isOpen, setIsOpen] = useState(false)
  const send = async (template: TemplateSend, idempotencyKey: string) => {
    const body = { type: 'template', numberTel: phone, phones: [phone], isHuman: true, ...template }
    await apiOf(client)(org).inbox.sendMessage({ body }, { idempotencyKey })
    for (const { queryKey } of [conversationQuery(org, phone), messagesQuery(org, phone)])
      client.removeQueries({ queryKey })
    // A new visit of the same address, because the error belongs to the old one.
    void navigate(paths.chat(org, phone) + search, { replace: true })
  }
  return (
    <section className="thread">
      <Empty
        icon="chat"
        isAlert
        says={t('newChat.first', { number: `+${phone}` })}
        action={
          <>
            <button type="button" className="button button-primary" ref={focus} onClick={() => setIsOpen(true)}>
              {t('composer.template')}
            </button>{' '}
            <Link className="button" to={paths.chats(org) + search}>
              {t('thread.back')}
            </Link>
          </>
        }
      />
      {isOpen ? (
        <SendTemplateDialog name={`+${phone}`} phone={phone} onSend={send} onClose={() => setIsOpen(false)} />
      ) : null}
    </section>
  )
}

/** Shown beside the list when a chat cannot be shown. */
export function MissingChat() {
  const error = useRouteError()
  const refused = refusedOf(error)
  const { org = '', phone = '' } = useParams()
  const canBegin = roleCan(effectiveRole(useOrg().role), 'chat:reply')
  const search = useListSearch()
  const { t } = useTranslation('inbox')
  const isNotFound = (isRouteErrorResponse(error) || isApiError(error)) && error.status === 404
  if (!isNotFound) return <UnopenedChat refused={refused} />
  // For a mistyped address, the page does not exist.
  if (refused?.code !== 'INBOX_CHAT_NOT_FOUND') return <NotFound />
  if (canBegin && isPhoneDigits(digitsOf(phone))) return <FirstMessage org={org} phone={digitsOf(phone)} />
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
