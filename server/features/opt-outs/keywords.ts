import type { Db } from '#server/platform/db/database.ts'
import type { EventOf } from '#server/platform/events/domain.ts'
import type { Deriving, TransactionListener } from '#server/platform/events/listeners.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { OptOut } from '#shared/opt-outs/api.ts'
import type { StoredSettings } from './settings-store.ts'
import { canBeKeyword, keywordReader } from './words.ts'

export interface OptOutContacts {
  optOut(write: OrgWrite, contactIds: readonly string[], optOut: OptOut): Promise<readonly string[]>
  optIn(write: OrgWrite, contactIds: readonly string[]): Promise<readonly string[]>
}

export interface KeywordParts extends OptOutContacts {
  readSettings(db: Db, orgId: string): Promise<StoredSettings>
  /** The organization's answer, or the default in its language. */
  readAnswer(db: Db, orgId: string, settings: StoredSettings, asked: 'stop' | 'resume'): Promise<string>
  /** Answers if the conversation's window is open. */
  answer(write: OrgWrite, to: { conversationId: string; text: string }): Promise<void>
}

type Received = EventOf<'message.received'>

/** A text, or a tapped button's label, short enough to be a keyword. */
const mayAsk = ({ past, group, message: { type, text } }: Received['data']) =>
  !past && !group && (type === 'text' || type === 'choice') && canBeKeyword(text)

/**
 * A customer who writes one of the organization's keywords opts out of marketing, or in again, in the transaction that
 * stores the message. Only a first message is answered, repetitions are not.
 */
export function createKeywords({
  readSettings,
  readAnswer,
  optOut,
  optIn,
  answer,
}: KeywordParts): TransactionListener<'message.received'> {
  const take = async (
    write: Deriving,
    { conversationId, contactId, message }: Received['data'],
    asked: 'stop' | 'resume',
    settings: StoredSettings,
  ) => {
    const note = message.text.replace(/\s+/g, ' ').trim()
    const changed =
      asked === 'stop'
        ? await optOut(write, [contactId], { at: message.at, source: 'keyword', note, by: null })
        : await optIn(write, [contactId])
    if (!changed.length || !settings.confirms) return
    await answer(write, { conversationId, text: await readAnswer(write.db, write.orgId, settings, asked) })
  }

  return {
    name: 'opt-out words',
    on: ['message.received'],
    after: ['taps on buttons that do something'],
    async handle(write, events) {
      const short = events.filter(({ data }) => mayAsk(data))
      if (!short.length) return
      const settings = await readSettings(write.db, write.orgId)
      const askedIn = keywordReader(settings)
      for (const { data } of short) {
        const asked = askedIn(data.message.text)
        if (asked) await take(write, data, asked, settings)
      }
    },
  }
}
