import './scheduled.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { addressOfConversation } from '#shared/inbox/chat-address.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import type { ScheduledMessage } from '#shared/scheduled-messages/api.ts'
import { ScheduleForm } from './form.tsx'
import { scheduledQuery } from './query.ts'
import { useMomentText } from './use-moment-text.ts'

interface RowProps {
  readonly phone: string
  readonly scheduled: ScheduledMessage
  onEdit(): void
}

function Row({ phone, scheduled, onEdit }: RowProps) {
  const { t } = useTranslation('inbox')
  const { slug, role } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const momentText = useMomentText()
  const [failure, setFailure] = useState<string>()
  const [isWorking, work] = useTransition()
  const { id, text, at, author, own, held, cancelOnReply } = scheduled
  const mayWrite = roleCan(effectiveRole(role), 'chat:reply')
  const params = { phone, id }
  const run = (change: () => Promise<unknown>, done: string) =>
    work(async () => {
      setFailure(undefined)
      try {
        await change()
        toast(done, { kind: 'success' })
      } catch (error) {
        setFailure(failureText(error))
      }
      await client.invalidateQueries({ queryKey: scheduledQuery(slug, phone).queryKey })
    })
  const facts = [momentText(at), author, ...(cancelOnReply ? [t('scheduled.unlessReply')] : [])]
  return (
    <li>
      <p className="scheduled-text">{text}</p>
      <p className="scheduled-facts small">{facts.join(' · ')}</p>
      {held ? <Fault>{t('scheduled.held', { reason: held.message })}</Fault> : null}
      {failure ? <Fault>{failure}</Fault> : null}
      {mayWrite && (own || roleCan(effectiveRole(role), 'member:manage')) ? (
        <div className="scheduled-buttons wrap">
          {own ? (
            <>
              <button type="button" className="button" onClick={onEdit}>
                {t('scheduled.edit')}
              </button>
              <button
                type="button"
                className="button"
                aria-disabled={isWorking}
                onClick={() =>
                  isWorking || run(() => api.scheduledMessages.sendScheduled({ params }), t('scheduled.sent'))
                }
              >
                <Icon name="send" />
                {t('scheduled.sendNow')}
              </button>
            </>
          ) : null}
          <button
            type="button"
            className="button"
            aria-disabled={isWorking}
            onClick={() =>
              isWorking || run(() => api.scheduledMessages.cancelScheduled({ params }), t('scheduled.cancelled'))
            }
          >
            <Icon name="trash" />
            {t('scheduled.cancel')}
          </button>
        </div>
      ) : null}
    </li>
  )
}

/** A chat's scheduled messages: reschedule, send now or cancel, by people who may. */
export default function ScheduledDialog({ conversation, onClose }: { conversation: Conversation; onClose(): void }) {
  const { t } = useTranslation('inbox')
  const { slug } = useOrg()
  const failureText = useFailureText()
  const phone = addressOfConversation(conversation)
  const { data, error } = useQuery(scheduledQuery(slug, phone))
  const [editedId, setEditedId] = useState<string>()
  const edited = data?.items.find(({ id }) => id === editedId)
  return (
    <Modal width={520} title={t(edited ? 'scheduled.editTitle' : 'scheduled.list')} onClose={onClose}>
      {edited ? (
        <ScheduleForm
          phone={phone}
          windowClosesAt={conversation.windowClosesAt}
          scheduled={edited}
          onSaved={() => setEditedId(undefined)}
          onCancel={() => setEditedId(undefined)}
        />
      ) : (
        <>
          {error ? <Fault>{failureText(error)}</Fault> : null}
          {data?.items.length === 0 ? <p role="status">{t('scheduled.none')}</p> : null}
          <ul className="scheduled-list">
            {data?.items.map(scheduled => (
              <Row key={scheduled.id} phone={phone} scheduled={scheduled} onEdit={() => setEditedId(scheduled.id)} />
            ))}
          </ul>
          <div className="dialog-buttons">
            <button type="button" className="button" onClick={onClose}>
              {t('scheduled.close')}
            </button>
          </div>
        </>
      )}
    </Modal>
  )
}
