import { memo, useRef } from 'react'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { clockTime } from '#shared/kernel/time.ts'
import type { PhoneChoice, PhoneMessage } from '#shared/simulator/phone.ts'
import type { Act } from './act.ts'
import { Disclosure } from './disclosure.tsx'
import { PhoneFile } from './phone-file.tsx'
import { gist, kindName, type SimulatorT } from './words.ts'

const emojis = ['👍', '❤️', '😂', '😮', '😢', '🙏'] as const

export interface PhoneBubbleProps {
  readonly org: string
  readonly message: PhoneMessage
  readonly timeZone: string
  readonly t: SimulatorT
  readonly canAct: boolean
  readonly act: Act
  readonly onReply: (message: PhoneMessage) => void
  readonly onEdit: (message: PhoneMessage) => void
}

const Quote = ({ message, t }: { message: PhoneMessage; t: SimulatorT }) =>
  message.replyTo ? (
    <span className="sim-quote">
      <b>{t(message.replyTo.mine ? 'bubble.quoteMine' : 'bubble.quoteTheirs')}</b>
      <span>{gist(t, message.replyTo)}</span>
    </span>
  ) : null

const Place = ({ message, t }: { message: PhoneMessage; t: SimulatorT }) => {
  const place = message.location
  if (!place) return null
  return (
    <span className="sim-file">
      <Icon name="pin" />
      <span className="cut">
        <bdi>{place.name ?? t('kind.location')}</bdi>
        <small>{place.address ?? `${place.latitude}, ${place.longitude}`}</small>
      </span>
    </span>
  )
}

const ContactCards = ({ message }: { message: PhoneMessage }) =>
  message.contacts?.map((card, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the cards of one message never move
    <span className="sim-file" key={i}>
      <Icon name="card" />
      <span className="cut">
        <bdi>{card.name}</bdi>
        <small>{card.phone}</small>
      </span>
    </span>
  ))

const Body = ({ org, message, t }: Pick<PhoneBubbleProps, 'org' | 'message' | 't'>) => {
  if (message.revoked)
    return <span className="sim-revoked">{t(message.mine ? 'bubble.revokedMine' : 'bubble.revokedTheirs')}</span>
  return (
    <>
      {message.header ? <b className="sim-title">{message.header}</b> : null}
      {message.media ? <PhoneFile org={org} message={message} t={t} /> : null}
      <Place message={message} t={t} />
      <ContactCards message={message} />
      {message.text ? (
        <span className="sim-words" dir="auto">
          {message.text}
        </span>
      ) : null}
      {!message.text && !message.media && !message.location && !message.contacts ? (
        <span className="sim-words">
          <Icon name="info" /> {kindName(t, message)}
        </span>
      ) : null}
      {message.footer ? <small className="sim-footer">{message.footer}</small> : null}
    </>
  )
}

const tapTypes = { button: 'button_reply', list: 'list_reply', quickReply: 'button' } as const

interface ChoicesProps extends Pick<PhoneBubbleProps, 'message' | 'canAct' | 'act'> {
  readonly choices: readonly PhoneChoice[] | undefined
}

const Choices = ({ choices, message, canAct, act }: ChoicesProps) => {
  if (!choices?.length || message.revoked) return null
  const tap = (choice: PhoneChoice) => {
    if (choice.kind === 'link' || choice.kind === 'other') return
    void act({
      type: tapTypes[choice.kind],
      choiceId: choice.id,
      choiceTitle: choice.title,
      replyToWamid: message.wamid,
      ...(choice.description ? { text: choice.description } : {}),
    })
  }
  const all = choices.map(choice =>
    choice.kind === 'link' ? (
      <a key={choice.id} className="sim-choice" href={choice.id} target="_blank" rel="noopener noreferrer nofollow">
        {choice.title}
      </a>
    ) : (
      <button
        key={`${choice.id} ${choice.title}`}
        type="button"
        className="sim-choice"
        disabled={!canAct || choice.kind === 'other'}
        onClick={() => tap(choice)}
      >
        {choice.title}
        {choice.description ? <small>{choice.description}</small> : null}
      </button>
    ),
  )
  return message.listTitle ? (
    <details className="sim-list">
      <summary className="sim-choice">{message.listTitle}</summary>
      {all}
    </details>
  ) : (
    <div className="sim-choices">{all}</div>
  )
}

/** The cards of a carousel, each with its own buttons. */
const Carousel = (props: Pick<PhoneBubbleProps, 'message' | 'canAct' | 'act' | 't'>) => {
  const { message, t } = props
  if (!message.cards || message.revoked) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
    <ol className="sim-cards" aria-label={t('bubble.cards')} tabIndex={0}>
      {message.cards.map((card, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the cards of one message never move
        <li key={i}>
          {card.media ? (
            <span className="sim-file">
              <Icon name="image" />
              <span className="cut">
                <small className="cut" dir="auto">
                  {card.media.name}
                </small>
              </span>
            </span>
          ) : null}
          {card.text ? (
            <span className="sim-words" dir="auto">
              {card.text}
            </span>
          ) : null}
          <Choices {...props} choices={card.choices} />
        </li>
      ))}
    </ol>
  )
}

const Receipt = ({ message, t }: { message: PhoneMessage; t: SimulatorT }) => {
  if (!message.mine || message.revoked) return null
  const isRead = message.status === 'read'
  return (
    <span
      className={isRead ? 'sim-receipt sim-receipt-read' : 'sim-receipt'}
      role="img"
      aria-label={t(isRead ? 'bubble.read' : 'bubble.received')}
    >
      <Icon name="ticks" />
    </span>
  )
}

const Actions = ({ message, t, act, onReply, onEdit }: Omit<PhoneBubbleProps, 'org' | 'timeZone' | 'canAct'>) => (
  <Disclosure icon="more" label={t('bubble.actions')} className="sim-actions">
    {close => {
      const then = (run: () => void) => () => {
        close()
        run()
      }
      const own = message.reactions?.find(reaction => reaction.mine)
      const react = (emoji: string) =>
        act(
          own?.emoji === emoji
            ? { type: 'unreaction', targetWamid: message.wamid }
            : { type: 'reaction', targetWamid: message.wamid, emoji },
        )
      return (
        <>
          <div className="sim-emojis">
            {emojis.map(emoji => (
              <button
                key={emoji}
                type="button"
                aria-pressed={own?.emoji === emoji}
                aria-label={own?.emoji === emoji ? t('action.unreact') : t('action.react', { emoji })}
                onClick={then(() => void react(emoji))}
              >
                {emoji}
              </button>
            ))}
          </div>
          <button type="button" className="sim-item" onClick={then(() => onReply(message))}>
            {t('action.reply')}
          </button>
          {message.text && message.type === 'text' ? (
            <button
              type="button"
              className="sim-item"
              onClick={then(() => void act({ type: 'text', text: message.text, forwarded: true }))}
            >
              {t('action.forward')}
            </button>
          ) : null}
          {message.mine && message.type === 'text' ? (
            <button type="button" className="sim-item" onClick={then(() => onEdit(message))}>
              {t('action.edit')}
            </button>
          ) : null}
          {message.mine ? (
            <button
              type="button"
              className="sim-item"
              onClick={then(() => void act({ type: 'revoke', targetWamid: message.wamid }))}
            >
              {t('action.remove')}
            </button>
          ) : null}
        </>
      )
    }}
  </Disclosure>
)

const swipeX = 56
const swipeY = 36

/** One message on the phone. Swiping it to the right replies to it. */
export const PhoneBubble = memo((props: PhoneBubbleProps) => {
  const { org, message, timeZone, t, canAct, onReply } = props
  const start = useRef<{ x: number; y: number }>(undefined)
  if (message.type === 'system' || message.type === 'request_welcome')
    return <p className="sim-happened">{kindName(t, message)}</p>
  const side = message.mine ? 'mine' : 'theirs'
  return (
    <div
      className={`sim-said sim-said-${side}`}
      onTouchStart={({ touches }) => {
        const touch = touches.item(0)
        start.current = touch && { x: touch.clientX, y: touch.clientY }
      }}
      onTouchEnd={({ changedTouches }) => {
        const from = start.current
        const touch = changedTouches.item(0)
        if (!from || !touch || !canAct || message.revoked) return
        if (touch.clientX - from.x > swipeX && Math.abs(touch.clientY - from.y) < swipeY) onReply(message)
      }}
    >
      <article
        className={`sim-bubble sim-bubble-${side}`}
        aria-label={t(message.mine ? 'bubble.mine' : 'bubble.theirs')}
      >
        {message.forwarded ? (
          <span className="sim-forwarded line">
            <Icon name="reply" /> {t('bubble.forwarded')}
          </span>
        ) : null}
        <Quote message={message} t={t} />
        <Body org={org} message={message} t={t} />
        <span className="sim-meta line">
          {message.edited && !message.revoked ? <span>{t('bubble.edited')}</span> : null}
          <time dateTime={message.at}>{clockTime(message.at, timeZone)}</time>
          <Receipt message={message} t={t} />
        </span>
        <Choices {...props} choices={message.choices} />
        <Carousel {...props} />
        {message.reactions?.length ? (
          <span className="sim-reactions">
            {message.reactions.map(({ emoji, mine }) => (
              <span
                key={String(mine)}
                role="img"
                aria-label={t(mine ? 'bubble.reactMine' : 'bubble.reactTheirs', { emoji })}
              >
                {emoji}
              </span>
            ))}
          </span>
        ) : null}
      </article>
      {canAct && !message.revoked ? <Actions {...props} /> : null}
    </div>
  )
})
