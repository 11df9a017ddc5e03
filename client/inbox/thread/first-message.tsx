import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { apiOf } from '#client/app/queries/queries.ts'
import type { TemplateSend } from '#client/templates/send-values.ts'
import { Empty } from '#client/ui/feedback/empty.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { paths } from '#shared/kernel/paths.ts'
import { showPhone } from '#shared/kernel/phone-reader.ts'
import { useListSearch } from '../list/list-address.ts'
import { conversationQuery, messagesQuery } from '../queries.ts'

const SendTemplateDialog = lazyDialog(() => import('#client/templates/send-dialog.tsx'))

/** After entering a number in a dialog, continues here. */
const focus = (button: HTMLButtonElement | null) => button?.focus()

/**
 * Offers a template to begin a conversation with a number that has none. Loaded only when it is shown, because it uses the
 * telephone number library.
 */
export default function FirstMessage({ org, phone }: { org: string; phone: string }) {
  const { t } = useTranslation('inbox')
  const search = useListSearch()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [isOpen, setIsOpen] = useState(false)
  const number = showPhone(phone)
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
        // A number is read in one line.
        says={t('newChat.first', { number: number.replaceAll(' ', '\u00a0').replaceAll('-', '\u2011') })}
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
        <SendTemplateDialog name={number} phone={phone} onSend={send} onClose={() => setIsOpen(false)} />
      ) : null}
    </section>
  )
}
