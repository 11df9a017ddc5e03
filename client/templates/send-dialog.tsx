import { type FormEvent, Suspense, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldFault, isApiError } from '#client/app/calls/api-error.ts'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { MomentField } from '#client/ui/controls/moment-input.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { Template } from '#shared/templates/api.ts'
import { findComponent } from '#shared/templates/components.ts'
import { isCodeCategory } from '#shared/templates/words.ts'
import { type KnownContact, valuesOfContact } from './contact-values.ts'
import { exampleFor, examplesOf } from './example-values.ts'
import { HeaderFileField } from './header-file-field.tsx'
import {
  chosenFiles,
  filledComponents,
  keptValues,
  type NeededValue,
  neededValues,
  sendBodyOf,
  type TemplateSend,
  type TypedValues,
} from './send-values.ts'
import { TemplateChoices } from './template-choices.tsx'
import { useTemplatePrice } from './template-price.ts'
import { useValueLabel } from './value-label.ts'
import { WaMessage } from './wa-message.tsx'
import './preview.css'
import './send-dialog.css'

interface SendDialogProps {
  /** The recipient. */
  readonly name: string
  /** Digits of the recipient's number, for the price. Undefined: unknown, or Meta takes nothing. */
  readonly phone: string | undefined
  /** Its name and fields fill the values they fit. Undefined: unknown. */
  readonly contact?: KnownContact | undefined
  /** Sends it. Rejects with the error. */
  onSend(send: TemplateSend, idempotencyKey: string): Promise<void>
  onClose(): void
}

const exampleOf = (template: Template, { part, name, card }: NeededValue): string | undefined => {
  if (part !== 'header' && part !== 'body') return undefined
  const within =
    card === undefined
      ? template.components
      : (findComponent(template.components, 'CAROUSEL')?.cards[card]?.components ?? [])
  const component = findComponent(within, part === 'header' ? 'HEADER' : 'BODY')
  return exampleFor(examplesOf(component?.text ?? '', component?.example), name) || undefined
}

const focus = (button: HTMLButtonElement | null) => button?.focus()

interface ValuesFormProps extends SendDialogProps {
  readonly template: Template
  /** The price in words. Undefined: unknown. */
  readonly price: string | undefined
  onBack(): void
}

function ValuesForm({ template, price, name, contact, onSend, onClose, onBack }: ValuesFormProps) {
  const { t } = useTranslation('templates')
  const failureText = useFailureText()
  const [typed, setTyped] = useState<TypedValues>({})
  const values: TypedValues = {
    ...keptValues(template),
    ...(contact ? valuesOfContact(template.components, contact) : {}),
    ...typed,
  }
  const [failure, setFailure] = useState<unknown>()
  /** Stays the same until there is an answer, so that it is sent once. An error ends it. */
  const [key, setKey] = useState(() => crypto.randomUUID())
  const [isMissingShown, setIsMissingShown] = useState(false)
  const [isWorking, work] = useTransition()
  const needed = neededValues(template.components)
  // Files usually have a value already.
  const firstTyped =
    needed.find(({ part, field }) => part !== 'file' && !values[field]) ?? needed.find(({ part }) => part !== 'file')
  const missing = needed.filter(({ field }) => !values[field]?.trim())
  const labelOf = useValueLabel()
  const faultFor = (one: NeededValue) =>
    fieldFault(failure, one.field) ?? (isMissingShown && missing.includes(one) ? t('fault.required') : undefined)
  const isNamed = (error: unknown) =>
    isApiError(error) && error.details.some(({ field }) => needed.some(one => one.field === field))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isWorking) return
    setFailure(undefined)
    setIsMissingShown(true)
    if (missing.length) return
    work(async () => {
      try {
        await onSend(sendBodyOf(template.id, values), key)
        onClose()
      } catch (error) {
        if (isApiError(error) && error.status >= 400 && error.status < 500) setKey(crypto.randomUUID())
        setFailure(error)
      }
    })
  }
  return (
    <form className="send-form" noValidate onSubmit={submit}>
      <div className="send-fields stack">
        <p className="small">
          {price
            ? t('send.price', { category: t(`category.${template.category}`), price })
            : t(`category.${template.category}`)}
        </p>
        {needed.map(one => {
          const example = exampleOf(template, one)
          const fault = faultFor(one)
          const change = (value: string) => {
            setTyped(before => ({ ...before, [one.field]: value }))
            setFailure(undefined)
          }
          if (one.part === 'file')
            return (
              <HeaderFileField
                key={one.field}
                template={template}
                format={one.format ?? 'IMAGE'}
                card={one.card ?? null}
                label={labelOf(one)}
                value={values[one.field] ?? ''}
                fault={fault}
                name={one.card === undefined ? (values['body.name'] ?? '') : undefined}
                onName={name => setTyped(before => ({ ...before, 'body.name': name }))}
                onChange={change}
              />
            )
          if (one.part === 'offer')
            return (
              <MomentField
                key={one.field}
                label={labelOf(one)}
                autoFocus={one === firstTyped}
                value={values[one.field] ?? ''}
                hint={t('send.offerEndHint')}
                fault={fault}
                onChange={change}
              />
            )
          return (
            <Field
              key={one.field}
              label={labelOf(one)}
              autoFocus={one === firstTyped}
              autoComplete="off"
              value={values[one.field] ?? ''}
              hint={example ? t('send.example', { example }) : undefined}
              {...(fault ? { fault } : {})}
              onChange={({ target }) => change(target.value)}
            />
          )
        })}
        {needed.length ? null : <p>{t('send.nothingToFill')}</p>}
        {failure && !isNamed(failure) ? <Fault>{failureText(failure)}</Fault> : null}
      </div>
      <section className="send-preview wa-phone" aria-label={t('preview.title')}>
        <div className="wa-chat">
          <WaMessage
            drawn={{
              components: filledComponents(template.components, values),
              language: template.language,
              files: chosenFiles(template, values),
              withExamples: false,
            }}
            isCode={isCodeCategory(template.category)}
          />
        </div>
      </section>
      <div className="dialog-buttons">
        <button type="button" className="button" onClick={onBack}>
          {t('send.back')}
        </button>
        <button
          type="submit"
          className="button button-primary"
          ref={firstTyped ? undefined : focus}
          aria-disabled={isWorking}
        >
          <Icon name="send" />
          {t('send.confirm', { name })}
        </button>
      </div>
    </form>
  )
}

function Steps(props: SendDialogProps) {
  const { t } = useTranslation('templates')
  const [template, setTemplate] = useState<Template>()
  const priceOf = useTemplatePrice(props.phone)
  return (
    <Modal
      title={template ? template.name : t('send.title', { name: props.name })}
      width={template ? 760 : 520}
      onClose={props.onClose}
    >
      {template ? (
        <ValuesForm
          key={template.id}
          {...props}
          template={template}
          price={priceOf(template.category)}
          onBack={() => setTemplate(undefined)}
        />
      ) : (
        <TemplateChoices priceOf={priceOf} contact={props.contact} onChoose={setTemplate} />
      )}
    </Modal>
  )
}

/** Chooses an approved template, fills in its values and sends it to one person. */
export default function SendDialog(props: SendDialogProps) {
  return (
    <Suspense fallback={null}>
      <Steps {...props} />
    </Suspense>
  )
}
