import type { Db } from '#server/platform/db/database.ts'
import { createKeywords, type KeywordParts } from './keywords.ts'
import { createOptOutSettings, type SettingsParts } from './settings.ts'
import { createChoices, createRefusalListener, type SignalParts } from './signals.ts'
import { canBeKeyword, keywordReader } from './words.ts'

/**
 * Opt-outs from marketing by keyword or by the customer's choice in WhatsApp. Members opt out customers in the inbox.
 */
export function createOptOuts(parts: SettingsParts & Omit<KeywordParts, 'readSettings' | 'readAnswer'> & SignalParts) {
  const { service, read, readAnswer } = createOptOutSettings(parts)
  return {
    service,
    /** Returns the texts that are nothing but a keyword. */
    async wordsIn(db: Db, orgId: string, texts: readonly string[]): Promise<ReadonlySet<string>> {
      const short = texts.filter(canBeKeyword)
      if (!short.length) return new Set()
      const askedIn = keywordReader(await read(db, orgId))
      return new Set(short.filter(text => askedIn(text) !== undefined))
    },
    applyChoices: createChoices(parts),
    keywords: createKeywords({ ...parts, readSettings: read, readAnswer }),
    refusals: createRefusalListener(parts),
  }
}
