import type { KeyboardEvent } from 'react'
import { useLocation } from 'react-router'
import { useSuspensePages } from '#client/app/queries/use-paged-list.ts'
import { useViewer } from '#client/shell/viewer.ts'
import { isComposing } from '#client/ui/controls/composing.ts'
import { Empty } from '#client/ui/feedback/empty.tsx'
import { useLinkPresses } from '#client/ui/page/link-presses.ts'
import { hueOfKey } from '#client/ui/pictures/hue.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { initialsOf } from '#client/ui/pictures/initials.ts'
import { useMoment } from '#client/ui/text/moment.tsx'
import { addressOfConversation } from '#shared/inbox/chat-address.ts'
import type { FoundMessage } from '#shared/inbox/message-search.ts'
import type { Language } from '#shared/kernel/language.ts'
import { paths } from '#shared/kernel/paths.ts'
import { rowTime, startOfMinute } from '#shared/kernel/time.ts'
import { othersDrafts, useDraftsBeside, whoDrafts } from '../../composer/drafts/drafts.ts'
import { outgoingScope } from '../../composer/outgoing.ts'
import { useInboxWords } from '../../inbox-words.ts'
import { useNumbers } from '../../numbers.ts'
import { foundQuery } from '../../queries.ts'
import { type InboxT, iconOf, messagePreview } from '../../words.ts'
import { aroundOf, useListSearch } from '../list-address.ts'
import { Row } from '../rows/row.tsx'

const moreWithinPx = 600

interface HitProps {
  org: string
  message: FoundMessage
  filter: string
  isOpen: boolean
  reader: { now: number; timeZone: string; language: Language; t: InboxT }
}

/** The member or program that wrote a message. Undefined: the customer wrote it. */
const whoWrote = ({ direction, author }: FoundMessage, t: InboxT): string | undefined => {
  if (direction === 'in') return undefined
  if (author && author.kind !== 'person' && author.kind !== 'api') return t(`author.${author.kind}`)
  return author?.name ? t('search.wrote', { name: author.name }) : t('search.sent')
}

const Hit = ({ org, message, filter, isOpen, reader: { now, timeZone, language, t } }: HitProps) => {
  const { conversation, snippet, type, at } = message
  const params = new URLSearchParams(filter)
  params.set('around', message.id)
  const icon = iconOf(type)
  const ours = whoWrote(message, t)
  return (
    <a
      className="hit"
      href={`${paths.chat(org, addressOfConversation(conversation))}?${params}`}
      aria-current={isOpen ? 'true' : undefined}
    >
      <span className={`avatar hue-${hueOfKey(conversation.phone)}`} aria-hidden="true">
        {initialsOf(conversation.name)}
      </span>
      <span className="hit-line">
        <b className="cut" dir="auto">
          {conversation.name}
        </b>
        <time dateTime={at}>{rowTime(at, now, language, timeZone) ?? t('row.yesterday')}</time>
      </span>
      <span className="hit-text small" dir="auto">
        {icon ? <Icon name={icon} /> : null}
        {snippet.length
          ? snippet.map((part, i) =>
              // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, never moved
              part.found ? <mark key={i}>{part.text}</mark> : <span key={i}>{part.text}</span>,
            )
          : messagePreview(t, { text: '', type })}
      </span>
      <span className="hit-meta">
        {ours ? <span className="cut">{ours}</span> : null}
        {conversation.archived ? (
          <>
            <Icon name="archive" />
            {t('search.archived')}
          </>
        ) : null}
      </span>
    </a>
  )
}

/** Arrow keys move through the results, and from the first one back into the field; so does Escape. */
const walk = (event: KeyboardEvent<HTMLElement>) => {
  const found = [...event.currentTarget.querySelectorAll<HTMLElement>('a.row, a.hit')]
  const here = found.indexOf(document.activeElement as HTMLElement)
  const field = event.currentTarget.closest('.inbox-list')?.querySelector<HTMLElement>('input[type="search"]')
  const targets: Readonly<Record<string, HTMLElement | null | undefined>> = {
    ArrowDown: found[here + 1],
    ArrowUp: found[here - 1] ?? field,
    Home: found[0],
    End: found.at(-1),
    Escape: field,
  }
  const target = targets[event.key]
  if (!target || isComposing(event.nativeEvent)) return
  event.preventDefault()
  event.stopPropagation()
  target.focus()
}

interface ResultsProps {
  org: string
  /** The typed text. */
  words: string
  /** The address of the only chat to search. */
  within: string | undefined
  openPhone: string | undefined
}

/** The text is only an operator without its value. */
const isUnfinished = /^\p{L}+:$/u

/** Search results: conversations by name, and messages with the words highlighted. */
export default function Results({ org, words, within, openPhone }: ResultsProps) {
  const { t, i18n } = useInboxWords()
  const { now, timeZone } = useMoment()
  const language = i18n.language as Language
  const numbers = useNumbers(org)
  const userId = useViewer().user.id
  const drafts = useDraftsBeside(outgoingScope(org, userId), openPhone)
  const others = othersDrafts.use(outgoingScope(org, userId))
  const filter = useListSearch()
  const around = aroundOf(useLocation().search)
  const press = useLinkPresses()
  const query = useSuspensePages(foundQuery(org, words, within))
  const messages = query.data.pages.flatMap(page => page.items)
  const conversations = query.data.pages[0]?.conversations ?? []
  const isPartial = query.data.pages.at(-1)?.partial === true
  if (!messages.length && !conversations.length) {
    const isValueMissing = isUnfinished.test(words)
    return (
      <Empty icon="search" says={isValueMissing ? t('search.valueMissing') : t('list.emptySearch', { search: words })}>
        {isPartial ? t('search.partial') : isValueMissing ? null : t('list.emptySearchHint')}
      </Empty>
    )
  }
  const reader = { now: startOfMinute(now), timeZone, language, t }
  const watch = (element: HTMLElement) => {
    const leftPx = element.scrollHeight - element.scrollTop - element.clientHeight
    if (query.hasNextPage && !query.isFetchingNextPage && !query.isFetchNextPageError && leftPx < moreWithinPx)
      void query.fetchNextPage()
  }
  return (
    <nav
      className="rows"
      aria-label={t('search.label')}
      onClick={press}
      onKeyDown={walk}
      onScroll={event => watch(event.currentTarget)}
    >
      {conversations.length ? <h2 className="results-head fine">{t('search.conversations')}</h2> : null}
      {conversations.map(conversation => {
        const address = addressOfConversation(conversation)
        const selected = address === openPhone && around === undefined
        return (
          <Row
            key={conversation.id}
            conversation={conversation}
            slug={org}
            filter={filter}
            selected={selected}
            draft={selected ? undefined : drafts[address]}
            drafting={whoDrafts(others, address)}
            numbers={numbers}
            userId={userId}
            {...reader}
          />
        )
      })}
      {messages.length ? <h2 className="results-head fine">{t('search.messages')}</h2> : null}
      {messages.map(message => (
        <Hit
          key={message.id}
          org={org}
          message={message}
          filter={filter}
          isOpen={message.id === around}
          reader={reader}
        />
      ))}
      {query.hasNextPage ? (
        <div className="results-more">
          <button
            type="button"
            className="link"
            disabled={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {query.isFetchingNextPage
              ? t('search.loading')
              : query.isFetchNextPageError
                ? t('search.failed')
                : t('search.more')}
          </button>
        </div>
      ) : isPartial ? (
        <p className="results-more">{t('search.partial')}</p>
      ) : null}
    </nav>
  )
}
