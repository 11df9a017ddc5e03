import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { fieldFault } from '#client/app/calls/api-error.ts'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useSuspensePages } from '#client/app/queries/use-paged-list.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { useIsElsewhere } from '#client/ui/page/is-elsewhere.ts'
import { Avatar } from '#client/ui/pictures/avatar.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { useMoment } from '#client/ui/text/moment.tsx'
import { paths } from '#shared/kernel/paths.ts'
import { clockTime, dayWord } from '#shared/kernel/time.ts'
import type { OrgSummary } from '#shared/orgs/api.ts'
import type { SandboxCustomer } from '#shared/simulator/phone.ts'
import { useAct } from './act.ts'
import { customerAt } from './address.ts'
import { PhoneChat } from './phone-chat.tsx'
import { type Aim, PhoneComposer } from './phone-composer.tsx'
import { type AgentAction, PhoneMenu, type Presence } from './phone-menu.tsx'
import { messagesOf, refreshPhones, threadQuery } from './queries.ts'
import type { SimulatorT } from './words.ts'

/** The phone polls, because read receipts and typing notices cause no event. */
const lookEveryMs = 2500

const StatusBar = () => {
  const { now, timeZone } = useMoment()
  return (
    <div className="sim-bar" aria-hidden="true">
      <span>{clockTime(new Date(now).toISOString(), timeZone)}</span>
      <span className="sim-camera" />
      <span className="sim-signs">
        <i />
        <i />
        <i />
        <i />
        <b />
      </span>
    </div>
  )
}

const WindowLine = ({ customer, t }: { customer: SandboxCustomer; t: SimulatorT }) => {
  const { now, timeZone } = useMoment()
  if (!customer.last) return null
  const end = customer.windowClosesAt
  if (!end) return <p className="sim-window">{t('phone.windowClosed')}</p>
  const time = clockTime(end, timeZone)
  return (
    <p className="sim-window">
      {dayWord(end, now, timeZone) === 'today'
        ? t('phone.windowOpen', { time })
        : t('phone.windowOpenTomorrow', { time })}
    </p>
  )
}

interface PhoneProps {
  readonly org: OrgSummary
  readonly businessPhone: string
  readonly phone: string
}

/** One customer's phone with the business's chat open. */
export function Phone({ org, businessPhone, phone }: PhoneProps) {
  const { t } = useTranslation('simulator')
  const api = useApi()
  const client = useQueryClient()
  const navigate = useNavigate()
  const isElsewhere = useIsElsewhere()
  const failureText = useFailureText()
  const [aim, setAim] = useState<Aim>()
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useSuspensePages({
    ...threadQuery(org.slug, phone),
    // Polling stops if another member emptied the simulator.
    refetchInterval: query => (query.state.error ? false : lookEveryMs),
  })
  const { act } = useAct(org.slug, phone)
  const [newest] = data.pages
  if (!newest) return null
  const { customer } = newest

  /** Saves and refreshes. Returns the field's error; other errors are shown as toasts. */
  const change = async (work: () => Promise<unknown>, field: string): Promise<string | undefined> => {
    try {
      await work()
      await refreshPhones(client, org.slug)
      return undefined
    } catch (error) {
      const fault = fieldFault(error, field)
      if (!fault) toast(failureText(error), { kind: 'error' })
      return fault
    }
  }
  const setPresence = (body: Presence) =>
    change(() => api.sandbox.setPresence({ body: { from: phone, ...body } }), 'body.username')
  const putInAddressBook = async (name: string) => {
    const fault = await change(
      () => api.sandbox.setPresence({ body: { from: phone, addressBook: name } }),
      'body.addressBook',
    )
    if (!fault) toast(name ? t('menu.addressBookPut', { name }) : t('menu.addressBookTaken'), { kind: 'success' })
    return fault
  }
  const takeNumber = async (newNumber: string): Promise<string | undefined> => {
    const fault = await change(
      () => api.sandbox.inbound({ body: { from: phone, type: 'system', newNumber } }),
      'body.newNumber',
    )
    if (fault) return fault
    const moved = await api.sandbox.listCustomers({})
    const [latest] = moved.items
    if (latest && !isElsewhere()) void navigate(customerAt(org.slug, latest.waId), { replace: true })
    return undefined
  }
  const actAsAgent = (action: AgentAction, text?: string) =>
    change(() => api.sandbox.actAsAgent({ body: { from: phone, action, ...(text ? { text } : {}) } }), 'body.text')
  const canAct = customer.online && !customer.blocked
  return (
    <section className="sim-phone" aria-label={t('phone.label', { name: customer.name })}>
      <StatusBar />
      <header className="sim-head">
        <Link className="icon-button sim-back" to={paths.simulator(org.slug)} aria-label={t('phone.back')}>
          <Icon name="back" />
        </Link>
        <Avatar name={org.name} of={org.name} image={org.logo} />
        <div className="sim-who grow">
          <h2 className="cut">
            <bdi>{org.name}</bdi>
          </h2>
          <p className="cut" aria-live="polite">
            {customer.typingShown ? t('phone.typing') : customer.withAgent ? t('phone.withAgent') : businessPhone}
          </p>
        </div>
        <PhoneMenu
          customer={customer}
          t={t}
          onPresence={setPresence}
          onAddressBook={putInAddressBook}
          onNewNumber={takeNumber}
          onAgent={actAsAgent}
        />
      </header>
      <PhoneChat
        key={phone}
        org={org.slug}
        name={customer.name}
        messages={messagesOf(data.pages)}
        hasOlder={hasNextPage}
        isLoadingOlder={isFetchingNextPage}
        onOlder={() => void fetchNextPage()}
        t={t}
        canAct={canAct}
        act={act}
        onReply={message => setAim({ kind: 'reply', message })}
        onEdit={message => setAim({ kind: 'edit', message })}
      />
      <WindowLine customer={customer} t={t} />
      <PhoneComposer
        key={`composer ${phone}`}
        customer={customer}
        aim={aim}
        t={t}
        act={act}
        onAim={setAim}
        onPresence={body => void setPresence(body)}
      />
    </section>
  )
}
