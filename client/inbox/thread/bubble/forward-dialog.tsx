import { useWork } from '#client/app/calls/use-work.ts'
import './forward-dialog.css'
import { useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { upload } from '#client/app/calls/upload.ts'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { usePages } from '#client/app/queries/use-paged-list.ts'
import { useViewer } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { OptionPicker } from '#client/ui/controls/option-picker.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { useMoment } from '#client/ui/text/moment.tsx'
import { api as contracts } from '#shared/api.ts'
import { addressOfConversation } from '#shared/inbox/chat-address.ts'
import { type Conversation, searchMaxChars } from '#shared/inbox/conversations.ts'
import type { Message } from '#shared/inbox/messages.ts'
import { windowSafetyMs } from '#shared/kernel/limits.ts'
import { fileForm } from '../../composer/files/file-form.ts'
import { placeSentMessage } from '../../placing.ts'
import { conversationsQuery, flatConversations } from '../../queries.ts'
import { messagePreview } from '../../words.ts'
import { fetchFile, forwardBody } from './forward-body.ts'

/** WhatsApp's own limit. */
const maxChats = 5
const shownChats = 20

interface ForwardDialogProps {
  readonly org: string
  readonly message: Message
  onClose(): void
}

/** Forwards a message, as a new one of ours, to chats with an open window. */
export default function ForwardDialog({ org, message, onClose }: ForwardDialogProps) {
  const { t } = useTranslation('inbox')
  const { now } = useMoment()
  const client = useQueryClient()
  const api = useApi()
  const failureText = useFailureText()
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const { data, error } = usePages(conversationsQuery(org, { archived: false, search }, useViewer().user.id))
  const [chosen, setChosen] = useState<ReadonlyMap<string, Conversation>>(new Map())
  const [failures, setFailures] = useState<readonly string[]>([])
  const [isWorking, work] = useWork()
  // A retry does not send it again where it has arrived.
  const keys = useRef(new Map<string, string>())
  const keyOf = (id: string) => {
    const key = keys.current.get(id) ?? crypto.randomUUID()
    keys.current.set(id, key)
    return key
  }

  const isOpen = ({ windowClosesAt }: Conversation) =>
    windowClosesAt !== null && Date.parse(windowClosesAt) - windowSafetyMs > now
  const mayChoose = (row: Conversation) => chosen.has(row.id) || (isOpen(row) && chosen.size < maxChats)
  const rows = data ? flatConversations(data).slice(0, shownChats) : []
  const choose = (place: number) => {
    const row = rows[place]
    if (!row || isWorking) return
    const next = new Map(chosen)
    if (!next.delete(row.id)) next.set(row.id, row)
    setChosen(next)
    setFailures([])
  }

  const sendTo = async (row: Conversation, file: File | undefined) => {
    const phone = addressOfConversation(row)
    const clientKey = keyOf(row.id)
    if (!file) {
      const body = { ...forwardBody(message), numberTel: phone, isHuman: true, clientKey }
      return placeSentMessage(client, org, phone, await api.inbox.sendMessage({ body }))
    }
    const as = message.type === 'voice' || message.type === 'sticker' ? message.type : undefined
    const caption = message.text === file.name ? '' : message.text
    const form = fileForm({ file, caption, phone, clientKey, replyTo: null, ...(as ? { as } : {}) })
    const options = { org, onPercent: () => undefined, signal: new AbortController().signal }
    placeSentMessage(client, org, phone, (await upload(contracts.inbox.sendMessage.path, form, options)) as Message)
  }
  const send = () =>
    work(async () => {
      const failed = new Map<string, Conversation>()
      const reasons: string[] = []
      let file: File | undefined
      try {
        file = await fetchFile(message)
      } catch {
        return setFailures([t('forward.fileGone')])
      }
      for (const row of chosen.values())
        try {
          await sendTo(row, file)
        } catch (refused) {
          failed.set(row.id, row)
          reasons.push(t('forward.failed', { name: row.name, reason: failureText(refused) }))
        }
      const sent = chosen.size - failed.size
      if (sent) toast(t('forward.done', { count: sent }))
      if (!failed.size) return onClose()
      setChosen(failed)
      setFailures(reasons)
    })
  return (
    <Modal title={t('forward.title')} onClose={onClose}>
      <DialogForm
        confirm={chosen.size ? t('forward.send', { count: chosen.size }) : t('forward.sendNobody')}
        isWorking={isWorking || chosen.size === 0}
        onSubmit={send}
        onCancel={onClose}
      >
        <p className="forward-said">{messagePreview(t, message)}</p>
        <div className="picker forward-picker">
          <OptionPicker
            label={t('forward.list')}
            search={t('forward.search')}
            maxChars={searchMaxChars}
            isMultiple
            typed={typed}
            options={rows.map(row => ({
              key: row.id,
              isOn: chosen.has(row.id),
              isOff: !mayChoose(row),
              content: (
                <>
                  <span className="cut" dir="auto">
                    {row.name}
                  </span>
                  <small>{isOpen(row) ? row.displayPhone : t('forward.closed')}</small>
                </>
              ),
            }))}
            isReady={data !== undefined && search === typed.trim() && !isWorking}
            fault={error ? failureText(error) : undefined}
            nothing={t('forward.nobody')}
            onType={setTyped}
            onChoose={choose}
          />
        </div>
        <p className="field-hint">{t('forward.hint', { count: maxChats })}</p>
        {failures.map(failure => (
          <Fault key={failure}>{failure}</Fault>
        ))}
      </DialogForm>
    </Modal>
  )
}
