import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { Language } from '#shared/kernel/language.ts'
import type { OptOutSettings, optOutsApi } from '#shared/opt-outs/api.ts'
import { findOptOutSettings, type StoredSettings, saveOptOutSettings } from './settings-store.ts'
import { comparable, defaultResumeWords, defaultStopWords } from './words.ts'

export interface SettingsParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly writes: Pick<Writes, 'run'>
  readLanguage(orgId: string, db: Db): Promise<Language>
  translate(language: Language, key: string): string
}

const nothingChosen: StoredSettings = {
  stopWords: defaultStopWords,
  resumeWords: defaultResumeWords,
  confirms: true,
  stopText: null,
  resumeText: null,
}

const refuse = (field: string) => new InvalidInput([{ field: `body.${field}`, code: 'invalid', params: {} }])

/** Removes duplicates. @throws InvalidInput for a word without letters. */
const wordsFrom = (field: string, typed: readonly string[]): string[] => {
  const words = new Map<string, string>()
  for (const word of typed) {
    const key = comparable(word)
    if (key === '') throw refuse(field)
    if (!words.has(key)) words.set(key, word.trim().replace(/\s+/g, ' '))
  }
  return [...words.values()]
}

/** @throws InvalidInput for a blank text. */
const textFrom = (field: string, typed: string): string => {
  const text = typed.trim()
  if (text === '') throw refuse(field)
  return text
}

/** Keywords for opting out and in, and the answers to them. */
export function createOptOutSettings({ databases, clock, writes, readLanguage, translate }: SettingsParts) {
  const present = async (db: Db, orgId: string, stored: StoredSettings): Promise<OptOutSettings> => ({
    stopWords: [...stored.stopWords],
    resumeWords: [...stored.resumeWords],
    confirms: stored.confirms,
    stopText: await readAnswer(db, orgId, stored, 'stop'),
    resumeText: await readAnswer(db, orgId, stored, 'resume'),
  })

  const read = async (db: Db, orgId: string) => (await findOptOutSettings(db, orgId)) ?? nothingChosen

  const readAnswer = async (db: Db, orgId: string, stored: StoredSettings, asked: 'stop' | 'resume') =>
    (asked === 'stop' ? stored.stopText : stored.resumeText) ??
    translate(await readLanguage(orgId, db), `settings:optOuts.answer.${asked}`)

  const service: ServiceOf<typeof optOutsApi, OrgCaller> = {
    getSettings: async ({ orgId }) => present(databases.read, orgId, await read(databases.read, orgId)),

    /** @throws InvalidInput for a word without letters, and for a word in both lists. */
    changeSettings: (caller, { body }) =>
      writes.run(caller.orgId, actorOf(caller), async ({ db, orgId, emit }) => {
        const before = await read(db, orgId)
        const after: StoredSettings = {
          stopWords: body.stopWords ? wordsFrom('stopWords', body.stopWords) : before.stopWords,
          resumeWords: body.resumeWords ? wordsFrom('resumeWords', body.resumeWords) : before.resumeWords,
          confirms: body.confirms ?? before.confirms,
          stopText: body.stopText === undefined ? before.stopText : textFrom('stopText', body.stopText),
          resumeText: body.resumeText === undefined ? before.resumeText : textFrom('resumeText', body.resumeText),
        }
        const stops = new Set(after.stopWords.map(comparable))
        if (after.resumeWords.some(word => stops.has(comparable(word))))
          throw refuse(body.resumeWords ? 'resumeWords' : 'stopWords')
        await saveOptOutSettings(db, orgId, after, isoNow(clock))
        emit({ type: 'organization.changed', data: {} })
        return present(db, orgId, after)
      }),
  }
  return { service, read, readAnswer }
}
