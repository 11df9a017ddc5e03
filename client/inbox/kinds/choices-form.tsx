import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { outboundLimits } from '#shared/outbound/api.ts'
import { filled, type KindFormProps } from './composed.ts'

interface Choice {
  readonly key: number
  readonly title: string
  readonly description: string
}

const choiceOf = (key: number): Choice => ({ key, title: '', description: '' })

interface ChoicesFault {
  readonly of: 'message' | 'opener' | 'choices'
  readonly says: string
}

/** A question with its options: up to three buttons below it, or up to ten rows that a button opens. */
function ChoicesForm({ isList, text, isWorking, failure, onSend, onCancel }: KindFormProps & { isList: boolean }) {
  const { t } = useTranslation('inbox')
  const id = useId()
  const [message, setMessage] = useState(text)
  const [opener, setOpener] = useState(t('kinds.openerBegin'))
  const [choices, setChoices] = useState<readonly Choice[]>([choiceOf(1), choiceOf(2)])
  const [header, setHeader] = useState('')
  const [footer, setFooter] = useState('')
  const [fault, setFault] = useState<ChoicesFault>()
  const most = isList ? outboundLimits.rows : outboundLimits.buttons
  const maxChars = isList ? outboundLimits.listBody : outboundLimits.interactiveBody

  const change = (key: number, part: Partial<Choice>) => {
    setChoices(choices.map(one => (one.key === key ? { ...one, ...part } : one)))
    setFault(undefined)
  }
  const submit = () => {
    const given = choices
      .map(({ title, description }) => ({ title: title.trim(), ...filled({ description }) }))
      .filter(({ title }) => title)
    const titles = given.map(({ title }) => title)
    if (!message.trim()) return setFault({ of: 'message', says: t('kinds.messageMissing') })
    if (isList && !opener.trim()) return setFault({ of: 'opener', says: t('kinds.openerMissing') })
    if (!titles.length) return setFault({ of: 'choices', says: t('kinds.choicesMissing') })
    if (!isList && new Set(titles).size < titles.length)
      return setFault({ of: 'choices', says: t('kinds.choicesAlike') })
    const frame = filled({ header, footer })
    const button = isList
      ? { ...frame, list: { title: opener.trim(), sections: [{ rows: given }] } }
      : { ...frame, buttons: titles.map(title => ({ title })) }
    onSend({ type: 'button', message: message.trim(), button })
  }
  return (
    <DialogForm confirm={t('composer.send')} isWorking={isWorking} onSubmit={submit} onCancel={onCancel}>
      <div className="field">
        <label htmlFor={id}>{t('kinds.message')}</label>
        <textarea
          dir="auto"
          id={id}
          rows={3}
          maxLength={maxChars}
          value={message}
          aria-invalid={fault?.of === 'message'}
          onChange={({ target }) => {
            setMessage(target.value)
            setFault(undefined)
          }}
        />
        {fault?.of === 'message' ? <Fault>{fault.says}</Fault> : null}
      </div>
      {isList ? (
        <Field
          label={t('kinds.opener')}
          maxLength={outboundLimits.buttonTitle}
          value={opener}
          {...(fault?.of === 'opener' ? { fault: fault.says } : {})}
          onChange={({ target }) => {
            setOpener(target.value)
            setFault(undefined)
          }}
        />
      ) : null}
      <fieldset className="kind-choices">
        <legend>{t(isList ? 'kinds.rows' : 'kinds.answers')}</legend>
        {choices.map((choice, i) => (
          <div key={choice.key} className="field kind-choice">
            <input
              dir="auto"
              aria-label={t('kinds.choice', { place: i + 1 })}
              placeholder={t('kinds.choice', { place: i + 1 })}
              maxLength={isList ? outboundLimits.rowTitle : outboundLimits.buttonTitle}
              value={choice.title}
              onChange={({ target }) => change(choice.key, { title: target.value })}
            />
            {isList ? (
              <input
                dir="auto"
                aria-label={t('kinds.description', { place: i + 1 })}
                placeholder={t('kinds.descriptionHint')}
                maxLength={outboundLimits.rowDescription}
                value={choice.description}
                onChange={({ target }) => change(choice.key, { description: target.value })}
              />
            ) : null}
            <button
              type="button"
              className="icon-button"
              aria-label={t('kinds.removeChoice', { place: i + 1 })}
              disabled={choices.length === 1}
              onClick={() => setChoices(choices.filter(({ key }) => key !== choice.key))}
            >
              <Icon name="close" />
            </button>
          </div>
        ))}
        {fault?.of === 'choices' ? <Fault>{fault.says}</Fault> : null}
        {choices.length < most ? (
          <button
            type="button"
            className="button"
            onClick={() => setChoices([...choices, choiceOf(Math.max(...choices.map(({ key }) => key)) + 1)])}
          >
            <Icon name="plus" />
            {t('kinds.addChoice')}
          </button>
        ) : null}
      </fieldset>
      <details className="kind-frame">
        <summary>{t('kinds.frame')}</summary>
        <Field
          label={t('kinds.header')}
          maxLength={outboundLimits.header}
          value={header}
          onChange={({ target }) => setHeader(target.value)}
        />
        <Field
          label={t('kinds.footer')}
          maxLength={outboundLimits.footer}
          value={footer}
          onChange={({ target }) => setFooter(target.value)}
        />
      </details>
      {failure ? <Fault>{failure}</Fault> : null}
    </DialogForm>
  )
}

export const ButtonsForm = (props: KindFormProps) => <ChoicesForm {...props} isList={false} />
export const ListForm = (props: KindFormProps) => <ChoicesForm {...props} isList />
