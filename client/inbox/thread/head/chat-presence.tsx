import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#client/app/calls/use-api.ts'
import { useEvents } from '#client/shell/live-provider.tsx'
import { usePresence } from '#client/shell/use-presence.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { addressOfConversation, addressOfEvent } from '#shared/inbox/chat-address.ts'

/** Shows who else has the chat open, and who is writing in it. */
export default function ChatPresence({ phone }: { phone: string }) {
  const { t } = useTranslation('inbox')
  const api = useApi()
  const { people, hear, wrote, sayAgain } = usePresence(state =>
    api.presence.setPresence({ params: { phone }, body: { state } }),
  )
  const onInput = useEffectEvent(({ target }: Event) => {
    if (target instanceof Element && target.matches('.composer textarea')) wrote()
  })
  useEffect(() => {
    const listen = (event: Event) => onInput(event)
    document.addEventListener('input', listen)
    return () => document.removeEventListener('input', listen)
  }, [])
  /** A person whose message has arrived is no longer writing it. */
  const said = (address: string, writerId: string | undefined) => {
    if (address !== phone) return
    for (const one of people) if (one.isWriting && one.id === writerId) hear({ ...one, isWriting: false }, false)
  }
  useEvents(
    {
      presence: event => void (addressOfEvent(event) === phone && hear(event.person, event.isGone)),
      message: ({ conversation, writerId }) => said(addressOfConversation(conversation), writerId),
      internal: event => said(addressOfEvent(event), event.message.note?.authorId),
    },
    sayAgain,
  )
  const writing = people.filter(({ isWriting }) => isWriting)
  const [first, ...others] = writing.length ? writing : people
  if (!first) return null
  const says = t(writing.length ? 'presence.writing' : 'presence.looking', { name: first.name, count: others.length })
  // In little space the name is cut, not the rest.
  const name = says.startsWith(first.name) ? first.name : ''
  return (
    <span
      className={writing.length ? 'chip chip-amber chat-presence' : 'chip chat-presence'}
      role="status"
      title={says}
    >
      <Icon name={writing.length ? 'chat' : 'person'} />
      <span className="cut" dir="auto">
        {name}
      </span>
      <span className="chat-presence-does">{says.slice(name.length)}</span>
    </span>
  )
}
