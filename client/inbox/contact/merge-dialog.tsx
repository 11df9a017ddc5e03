import { useWork } from '#client/app/calls/use-work.ts'
import '../thread/bubble/forward-dialog.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { queryFor } from '#client/app/queries/queries.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { OptionPicker } from '#client/ui/controls/option-picker.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import type { ListedContact } from '#shared/contacts/api.ts'
import type { Contact } from '#shared/contacts/chat-contact.ts'
import { addressOfConversation } from '#shared/inbox/chat-address.ts'
import { searchMaxChars } from '#shared/inbox/conversations.ts'
import { seeMerged } from '../queries.ts'

interface MergeDialogProps {
  readonly org: string
  readonly phone: string
  /** The contact that is kept. */
  readonly contact: Contact
  onClose(): void
}

const shownContacts = 20
const undoMs = 10_000

/** Finds another contact of the same person and merges it into this one. */
export default function MergeDialog({ org, phone, contact, onClose }: MergeDialogProps) {
  const { t } = useTranslation('inbox')
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const query = queryFor(org, 'contacts.listContacts', { query: search ? { search } : {} })
  const { data, error } = useQuery({ ...query, refetchOnMount: 'always' })
  const [chosen, setChosen] = useState<ListedContact>()
  const [failure, setFailure] = useState<string>()
  const [isWorking, work] = useWork()
  const name = contact.conversations[0]?.name ?? contact.name ?? ''
  const others = (data?.items ?? []).filter(({ id }) => id !== contact.id).slice(0, shownContacts)
  const undo = async (id: string) => {
    try {
      await api.contactMerges.undoMerge({ params: { id } })
      toast(t('merge.undone'), { kind: 'success' })
      await seeMerged(client, org)
    } catch (refused) {
      toast(failureText(refused), { kind: 'error' })
    }
  }
  const submit = () =>
    work(async () => {
      if (!chosen) return setFailure(t('merge.choose'))
      setFailure(undefined)
      try {
        const other = addressOfConversation(chosen.conversation)
        const made = await api.contactMerges.merge({ params: { phone }, body: { other } })
        await seeMerged(client, org)
        toast(t('merge.done', { name: made.name }), {
          kind: 'success',
          durationMs: undoMs,
          action: { label: t('merge.undo'), onClick: () => void undo(made.id) },
        })
        onClose()
      } catch (refused) {
        setFailure(failureText(refused))
      }
    })
  return (
    <Modal title={t('merge.ask', { name })} onClose={onClose}>
      <DialogForm confirm={t('merge.confirm')} isWorking={isWorking} onSubmit={submit} onCancel={onClose}>
        <div className="picker forward-picker">
          <OptionPicker
            label={t('merge.list')}
            search={t('merge.search')}
            maxChars={searchMaxChars}
            typed={typed}
            options={others.map(one => ({
              key: one.id,
              isOn: one.id === chosen?.id,
              content: (
                <>
                  <span className="cut" dir="auto">
                    {one.conversation.name}
                  </span>
                  <small>{one.conversation.displayPhone}</small>
                </>
              ),
            }))}
            isReady={data !== undefined}
            fault={error ? failureText(error) : undefined}
            nothing={t('merge.none')}
            onType={setTyped}
            onChoose={place => {
              setChosen(others[place])
              setFailure(undefined)
            }}
          />
        </div>
        <p>{chosen ? t('merge.says', { name, other: chosen.conversation.name }) : t('merge.text')}</p>
        {failure ? <Fault>{failure}</Fault> : null}
      </DialogForm>
    </Modal>
  )
}
