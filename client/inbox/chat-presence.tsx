import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useEvents, useIsAway } from '#client/shell/live-provider.tsx'
import { useViewer } from '#client/shell/viewer.ts'
import { Icon } from '#client/ui/icon.tsx'
import { useApi } from '#client/use-api.ts'
import { addressOfEvent } from '#shared/chat-address.ts'
import { lookingMs, type Present, writingMs } from '#shared/presence.ts'

/** Said again while there is time left, however slow the line. */
const sayLookingEveryMs = lookingMs * (2 / 3)
const sayWritingEveryMs = writingMs / 2

/** Says that this person is here, and tells who else is. A courtesy: what fails is not said. */
const usePresence = (phone: string): readonly Present[] => {
  const api = useApi()
  const { id: own } = useViewer().user
  const [people, setPeople] = useState<readonly Present[]>([])
  const saidWriting = useRef(false)
  const ends = useRef(new Map<string, ReturnType<typeof setTimeout>>())
  /** Whoever stops writing does not say so. */
  const endLater = ({ id, isWriting }: Present) => {
    clearTimeout(ends.current.get(id))
    if (!isWriting) return
    const stop = () => setPeople(before => before.map(one => (one.id === id ? { ...one, isWriting: false } : one)))
    ends.current.set(id, setTimeout(stop, writingMs))
  }
  const take = (items: readonly Present[]) => {
    items.forEach(endLater)
    setPeople(items)
  }
  const hear = (person: Present, isGone: boolean) => {
    endLater(person)
    setPeople(before => [...before.filter(({ id }) => id !== person.id), ...(isGone ? [] : [person])])
  }
  const say = useEffectEvent((state: 'looking' | 'writing' | 'gone') =>
    api.presence.setPresence({ params: { phone }, body: { state } }).then(
      ({ items }) => state !== 'gone' && take(items),
      () => undefined,
    ),
  )
  const isAway = useIsAway()
  const stay = useEffectEvent(() => !isAway && void say('looking'))
  useEffect(() => {
    const isSeen = () => document.visibilityState === 'visible'
    const sayAgain = () => void (isSeen() && stay())
    const seen = () => void say(isSeen() ? 'looking' : 'gone')
    const wrote = ({ target }: Event) => {
      if (!(target instanceof Element) || !target.matches('.composer textarea')) return
      if (saidWriting.current) return
      saidWriting.current = true
      setTimeout(() => {
        saidWriting.current = false
      }, sayWritingEveryMs)
      void say('writing')
    }
    sayAgain()
    const timer = setInterval(sayAgain, sayLookingEveryMs)
    document.addEventListener('visibilitychange', seen)
    document.addEventListener('input', wrote)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', seen)
      document.removeEventListener('input', wrote)
      void say('gone')
    }
  }, [])
  useEvents(
    {
      presence: event => {
        if (addressOfEvent(event) !== phone || event.person.id === own) return
        hear(event.person, event.isGone)
      },
    },
    () => void say('looking'),
  )
  return people
}

/** Who else has the chat open, and who is writing in it. */
export default function ChatPresence({ phone }: { phone: string }) {
  const { t } = useTranslation('inbox')
  const people = usePresence(phone)
  const writing = people.filter(({ isWriting }) => isWriting)
  const [first, ...others] = writing.length ? writing : people
  if (!first) return null
  return (
    <span className={writing.length ? 'chip chip-amber chat-presence' : 'chip chat-presence'} role="status">
      <Icon name={writing.length ? 'chat' : 'person'} />
      <span className="cut">
        {t(writing.length ? 'presence.writing' : 'presence.looking', { name: first.name, count: others.length })}
      </span>
    </span>
  )
}
