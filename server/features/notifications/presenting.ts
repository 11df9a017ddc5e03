import type { Language } from '#shared/kernel/language.ts'
import type { Notification } from '#shared/notifications/api.ts'
import type { StoredNotification } from './store.ts'

export type TranslateTo = (language: Language, key: string, params?: Record<string, string | number>) => string

/** The customer of a conversation, with the last message that the reader sees. */
export interface ConversationSummary {
  readonly name: string
  readonly said?: { readonly type: string; readonly text: string }
}

/** Fits into two lines of the bell. */
const maxSaidChars = 160
const cutTo = (text: string, most: number): string => [...text].slice(0, most).join('')

/** Shows notifications in the language of their reader. */
export function createPresenting(translate: TranslateTo) {
  const present = (one: StoredNotification, language: Language): Notification => ({
    id: one.id,
    title: one.words ? translate(language, `notices:${one.words.key}.title`, one.words.params) : one.oldTitle,
    message: one.words ? translate(language, `notices:${one.words.key}.message`, one.words.params) : one.oldMessage,
    viewed: one.viewed,
    createdAt: one.createdAt,
    redirect: one.redirect,
  })

  const aboutOf = ({ name, said }: ConversationSummary, language: Language): NonNullable<Notification['about']> => ({
    name,
    ...(said ? { said: cutTo(said.text, maxSaidChars) || translate(language, `inbox:kind.${said.type}`) } : {}),
  })

  return { present, aboutOf }
}
