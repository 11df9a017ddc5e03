import type { ServerI18n, Translate } from '#server/platform/text/i18n.ts'
import { failureKey, failureText } from '#server/whatsapp/errors/errors.ts'
import { nextAfterFailure } from '#shared/inbox/failures.ts'
import type { MessageFailure } from '#shared/inbox/messages.ts'
import type { Language } from '#shared/kernel/language.ts'
import texts from '../../../../locales/es/failures.json' with { type: 'json' }
import inbox from '../../../../locales/es/inbox.json' with { type: 'json' }

/**
 * A failure in words, with the next step.
 * @param failedAt ISO 8601
 * @param isTyped of a text that a person typed
 */
export type SayFailure = (code: string, failedAt: string, isTyped?: boolean) => MessageFailure

/** Events are always Spanish, because readers of both languages get the same event; clients translate `code` and `step`. */
export const spanishFailure: SayFailure = (code, failedAt, isTyped) => {
  const key = failureKey(code).replace(/^failures:/, '') as keyof typeof texts
  const message = (texts[key] ?? texts.unknown).replace('{{- textSaved}}', isTyped ? ` ${texts.textSaved}` : '')
  const next = nextAfterFailure(code, failedAt)
  return { code, message, next: { ...next, text: inbox.failureNext[next.step] } }
}

export const sayFailureBy =
  (translate: Translate): SayFailure =>
  (code, failedAt, isTyped) => {
    const next = nextAfterFailure(code, failedAt)
    return {
      code,
      message: failureText(translate, code, { isTyped }),
      next: { ...next, text: translate(`inbox:failureNext.${next.step}`) },
    }
  }

/** Says failures in the caller's language. */
export const sayFailureFor = (translator: ServerI18n['translator'], language: Language): SayFailure =>
  sayFailureBy(translator(language))
