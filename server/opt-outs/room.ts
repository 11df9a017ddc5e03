import type { Db } from '../db.ts'
import { createKeywords, type KeywordParts } from './keywords.ts'
import { createOptOutSettings, type SettingsParts } from './settings.ts'
import { createChoices, createRefusalListener, type SignalParts } from './signals.ts'
import { canBeKeyword, readKeyword } from './words.ts'

/** Who wants no marketing: by a word, by what they chose in WhatsApp; by hand in their chat, which is the inbox's. */
export function createOptOuts(parts: SettingsParts & Omit<KeywordParts, 'readSettings' | 'readAnswer'> & SignalParts) {
  const { service, read, readAnswer } = createOptOutSettings(parts)
  return {
    service,
    /** Whether a message of it alone opts out, or back in. */
    isWord: async (db: Db, orgId: string, text: string): Promise<boolean> =>
      canBeKeyword(text) && readKeyword(text, await read(db, orgId)) !== undefined,
    applyChoices: createChoices(parts),
    keywords: createKeywords({ ...parts, readSettings: read, readAnswer }),
    refusals: createRefusalListener(parts),
  }
}
