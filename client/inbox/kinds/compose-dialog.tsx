import './compose-dialog.css'
import { type ComponentType, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { ActionForm } from './action-form.tsx'
import { ButtonsForm, ListForm } from './choices-form.tsx'
import type { ComposedKind, KindBody, KindFormProps } from './composed.ts'
import { ContactForm } from './contact-form.tsx'
import { LocationForm } from './location-form.tsx'

const forms: Readonly<Record<ComposedKind, ComponentType<KindFormProps>>> = {
  location: LocationForm,
  contact: ContactForm,
  buttons: ButtonsForm,
  list: ListForm,
  action: ActionForm,
}

interface KindDialogProps {
  readonly kind: ComposedKind
  /** The composer's text, for kinds that have one. */
  readonly text: string
  /** Calls with the same key send one message. @throws the refusal */
  send(body: KindBody, key: string): Promise<void>
  /** `usedText`: the composer's text was sent with it. */
  onSent(usedText: boolean): void
  onClose(): void
}

/** Composes and sends kinds of messages other than text, file and template. */
export default function KindDialog({ kind, text, send, onSent, onClose }: KindDialogProps) {
  const { t } = useTranslation('inbox')
  const failureText = useFailureText()
  const [tried, setTried] = useState<{ readonly body: string; readonly key: string }>()
  const [failure, setFailure] = useState<string>()
  const [isWorking, work] = useTransition()
  const Form = forms[kind]
  const form: KindFormProps = {
    text,
    isWorking,
    failure,
    onCancel: onClose,
    onSend: body =>
      work(async () => {
        setFailure(undefined)
        const said = JSON.stringify(body)
        // After a refusal, a changed message needs another key.
        const key = tried?.body === said ? tried.key : crypto.randomUUID()
        setTried({ body: said, key })
        try {
          await send(body, key)
        } catch (error) {
          return setFailure(failureText(error))
        }
        onSent(body.message !== undefined)
        onClose()
      }),
  }
  return (
    <Modal title={t(`kinds.title.${kind}`)} onClose={onClose}>
      <Form {...form} />
    </Modal>
  )
}
