import { type FormEvent, useState } from 'react'
import { Field } from '#client/ui/controls/field.tsx'
import type { SandboxAgent } from '#shared/simulator/inbound.ts'
import type { SandboxCustomer } from '#shared/simulator/phone.ts'
import { Disclosure } from './disclosure.tsx'
import type { SimulatorT } from './words.ts'

export interface Presence {
  readonly online?: boolean
  readonly reads?: boolean
  readonly blocked?: boolean
  readonly username?: string
  readonly addressBook?: string
}

interface PhoneMenuProps {
  readonly customer: SandboxCustomer
  readonly t: SimulatorT
  /** Returns the field's error, if there is one. */
  readonly onPresence: (change: Presence) => Promise<string | undefined>
  readonly onAddressBook: (name: string) => Promise<string | undefined>
  readonly onNewNumber: (number: string) => Promise<string | undefined>
  readonly onAgent: (action: AgentAction, text?: string) => Promise<string | undefined>
}

export type AgentAction = SandboxAgent['action']

const switches = ['online', 'reads', 'blocked'] as const

/** A form with one field and a button of its own. */
const OneField = (props: {
  label: string
  hint: string
  button: string
  initial: string
  inputMode?: 'tel'
  maxLength?: number
  onSave: (value: string) => Promise<string | undefined>
}) => {
  const [value, setValue] = useState(props.initial)
  const [fault, setFault] = useState<string>()
  const save = async (event: FormEvent) => {
    event.preventDefault()
    setFault(await props.onSave(value.trim()))
  }
  return (
    <form className="sim-one stack-m" onSubmit={event => void save(event)}>
      <Field
        label={props.label}
        hint={props.hint}
        value={value}
        inputMode={props.inputMode}
        autoComplete="off"
        maxLength={props.maxLength ?? 40}
        {...(fault ? { fault } : {})}
        onChange={event => setValue(event.target.value)}
      />
      <button type="submit" className="button">
        {props.button}
      </button>
    </form>
  )
}

/** Plays Meta's own agent: it takes the chat, writes there, or gives it to the team. */
const AgentPart = ({ customer, t, onAgent }: Pick<PhoneMenuProps, 'customer' | 't' | 'onAgent'>) => (
  <>
    <button
      type="button"
      role="switch"
      aria-checked={customer.withAgent}
      className="sim-switch"
      onClick={() => void onAgent(customer.withAgent ? 'leave' : 'hold')}
    >
      {t('menu.agent')}
      <span aria-hidden="true" />
    </button>
    {customer.withAgent ? (
      <>
        <OneField
          key={`answer ${customer.waId} ${customer.last?.at}`}
          label={t('menu.agentAnswer')}
          hint={t('menu.agentAnswerHint')}
          button={t('menu.agentAnswerSave')}
          initial=""
          maxLength={2000}
          onSave={text => onAgent('answer', text)}
        />
        <OneField
          key={`hand over ${customer.waId}`}
          label={t('menu.agentHandOver')}
          hint={t('menu.agentHandOverHint')}
          button={t('menu.agentHandOverSave')}
          initial=""
          maxLength={2000}
          onSave={text => onAgent('handOver', text)}
        />
      </>
    ) : null}
  </>
)

/**
 * Settings of this customer's phone (connection, receipts, blocking, username, number) and of the business's address
 * book.
 */
export function PhoneMenu({ customer, t, onPresence, onAddressBook, onNewNumber, onAgent }: PhoneMenuProps) {
  return (
    <Disclosure icon="more" label={t('phone.menu', { name: customer.name })} className="sim-menu">
      {close => (
        <>
          {switches.map(name => (
            <button
              key={name}
              type="button"
              role="switch"
              aria-checked={customer[name]}
              className="sim-switch"
              onClick={() => void onPresence({ [name]: !customer[name] })}
            >
              {t(`menu.${name}`)}
              <span aria-hidden="true" />
            </button>
          ))}
          <AgentPart customer={customer} t={t} onAgent={onAgent} />
          <OneField
            key={`username ${customer.username}`}
            label={t('menu.username')}
            hint={t('menu.usernameHint')}
            button={t('menu.usernameSave')}
            initial={customer.username ?? ''}
            onSave={username => onPresence({ username })}
          />
          <OneField
            key={`book ${customer.waId}`}
            label={t('menu.addressBook')}
            hint={t('menu.addressBookHint')}
            button={t('menu.addressBookSave')}
            initial=""
            onSave={onAddressBook}
          />
          <OneField
            key={`number ${customer.waId}`}
            label={t('menu.newNumber')}
            hint={t('menu.newNumberHint')}
            button={t('menu.newNumberSave')}
            initial=""
            inputMode="tel"
            onSave={async number => {
              const fault = await onNewNumber(number)
              if (!fault) close()
              return fault
            }}
          />
        </>
      )}
    </Disclosure>
  )
}
