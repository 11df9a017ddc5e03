import type { ServerI18n } from '#server/platform/text/i18n.ts'
import { failureKey } from '#server/whatsapp/errors.ts'
import type { Language } from '#shared/kernel/language.ts'
import texts from '../../../locales/es/failures.json' with { type: 'json' }
import type { FailureText } from '../present.ts'

/** The sentence in events. It is always Spanish, because readers of both languages get the same event; clients translate `code`. */
export const spanishFailure: FailureText = code => {
  const key = failureKey(code).replace(/^failures:/, '') as keyof typeof texts
  return texts[key] ?? texts.unknown
}

/** The sentence in the caller's language. */
export const failureTextFor = (translator: ServerI18n['translator'], language: Language): FailureText => {
  const translate = translator(language)
  return code => translate(failureKey(code))
}
